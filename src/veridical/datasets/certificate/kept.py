"""The certificate beside the data, for as long as no file has been touched since it was measured."""

from __future__ import annotations

from veridical.datasets.certificate.check import Certificate
from veridical.datasets.fingerprint import keep_json, kept_json
from veridical.datasets.read import Dataset

_FILE = "certificate.json"


def keep(data: Dataset, certificate: Certificate) -> None:
    """Writes certificate.json into the dataset's folder."""
    keep_json(data.folder, _FILE, certificate.to_json())


def kept(data: Dataset) -> Certificate | None:
    """The certificate of just these files; None if there is none, or a file differs in size or time."""
    stored = kept_json(data.folder, _FILE)
    return None if stored is None else Certificate.from_json(stored)
