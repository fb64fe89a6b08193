"""What a certificate is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Fault = Literal["pose", "calibration", "time", "labels", "depth", "flow", "imu", "image"]


@dataclass(frozen=True)
class Check:
    """One claim about a dataset, measured.

    Attributes:
        name: What is claimed.
        subject: Stream or robot.
        value: The measured number; None if the data cannot show it, and `detail` says why.
        threshold: The largest value that passes.
        unit: Of value and threshold.
        n: Samples behind the value.
        fault: What is wrong if it fails; None for a check that passes.
        detail: A sentence for people.
        numbers: Further measured numbers, with units in their names.
    """

    name: str
    subject: str
    value: float | None
    threshold: float
    unit: str
    n: int
    fault: Fault | None = None
    detail: str = ""
    numbers: dict[str, float] = field(default_factory=dict)

    @property
    def passed(self) -> bool | None:
        """None if the claim could not be measured."""
        return None if self.value is None else bool(self.value <= self.threshold)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "name": self.name,
            "subject": self.subject,
            "passed": self.passed,
            "value": self.value,
            "threshold": self.threshold,
            "unit": self.unit,
            "n": self.n,
            "fault": None if self.passed else self.fault,
            "detail": self.detail,
            "numbers": self.numbers,
        }

    def __str__(self) -> str:
        mark = {True: "ok  ", False: "FAIL", None: "-   "}[self.passed]
        head = f"{mark} {self.subject}: {self.name}"
        if self.value is None:
            return f"{head}: not measured, {self.detail}"
        measured = f"{self.value:.4g} {self.unit} (at most {self.threshold:g}; n = {self.n})"
        word = f"  [{self.fault}]" if self.passed is False else ""
        return f"{head}: {measured}{word}" + (f"  {self.detail}" if self.detail else "")


def skipped(name: str, subject: str, threshold: float, unit: str, why: str) -> Check:
    """A check that the data cannot answer."""
    return Check(name, subject, None, threshold, unit, 0, detail=why)


@dataclass(frozen=True)
class Certificate:
    """All checks of a dataset."""

    checks: tuple[Check, ...]
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """True if something was measured and nothing failed."""
        results = [check.passed for check in self.checks]
        return False not in results and True in results

    @property
    def faults(self) -> tuple[str, ...]:
        """The words of the checks that failed, each once."""
        words = [check.fault for check in self.checks if check.passed is False and check.fault]
        return tuple(dict.fromkeys(words))

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "passed": self.passed,
            "faults": list(self.faults),
            "seconds": round(self.seconds, 3),
            "checks": [check.to_json() for check in self.checks],
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Certificate:
        """The inverse of `to_json`."""
        checks = ({k: v for k, v in check.items() if k != "passed"} for check in stored["checks"])
        return cls(tuple(Check(**check) for check in checks), stored["seconds"])

    def __str__(self) -> str:
        verdict = "PASSED" if self.passed else f"FAILED: {', '.join(self.faults) or 'nothing was measured'}"
        return "\n".join([*map(str, self.checks), f"certificate {verdict}"])
