"""Poses of single bodies over many states at once."""

from __future__ import annotations

import mujoco
import numpy as np

from veridical.core.errors import DataError, did_you_mean
from veridical.core.geometry import Array, quat_multiply, quat_to_matrix, transform


class BodyChain:
    """The bodies and joints between the world and one body: forward kinematics for whole arrays of qpos."""

    def __init__(self, model: mujoco.MjModel, body: str) -> None:
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body)
        if number < 0:
            names = [model.body(i).name for i in range(model.nbody)]
            msg = f"the world has no body '{body}'.{did_you_mean(body, names)}"
            raise DataError(msg)
        self._model = model
        self._bodies: list[int] = []
        while number > 0:
            self._bodies.insert(0, number)
            number = int(model.body_parentid[number])

    def poses(self, qpos: Array) -> Array:
        """T_world_body (n, 4, 4) at joint positions (n, nq); equal to `mj_kinematics`."""
        qpos = np.atleast_2d(np.asarray(qpos, float))
        position, quat = np.zeros((len(qpos), 3)), np.tile([1.0, 0.0, 0.0, 0.0], (len(qpos), 1))
        for body in self._bodies:
            position, quat = self._descend(body, position, quat, qpos)
        return transform(quat_to_matrix(quat), position)

    def _descend(self, body: int, position: Array, quat: Array, qpos: Array) -> tuple[Array, Array]:
        """From the pose of the parent to that of the body."""
        model = self._model
        joints = range(
            int(model.body_jntadr[body]), int(model.body_jntadr[body]) + int(model.body_jntnum[body])
        )
        if len(joints) == 1 and model.jnt_type[joints[0]] == mujoco.mjtJoint.mjJNT_FREE:
            a = int(model.jnt_qposadr[joints[0]])
            free = qpos[:, a + 3 : a + 7]
            return qpos[:, a : a + 3], free / np.linalg.norm(free, axis=1, keepdims=True)
        position = position + _turn(quat, model.body_pos[body])
        quat = quat_multiply(quat, model.body_quat[body])
        for joint in joints:
            position, quat = self._move(joint, position, quat, qpos)
        return position, quat / np.linalg.norm(quat, axis=1, keepdims=True)

    def _move(self, joint: int, position: Array, quat: Array, qpos: Array) -> tuple[Array, Array]:
        model, a = self._model, int(self._model.jnt_qposadr[joint])
        kind, axis = model.jnt_type[joint], np.asarray(model.jnt_axis[joint])
        if kind == mujoco.mjtJoint.mjJNT_SLIDE:
            step = qpos[:, a] - model.qpos0[a]
            return position + _turn(quat, axis) * step[:, None], quat
        anchor = position + _turn(quat, model.jnt_pos[joint])
        if kind == mujoco.mjtJoint.mjJNT_BALL:
            turn = qpos[:, a : a + 4] / np.linalg.norm(qpos[:, a : a + 4], axis=1, keepdims=True)
        else:
            half = (qpos[:, a] - model.qpos0[a]) / 2
            turn = np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * axis], axis=1)
        quat = quat_multiply(quat, turn)
        return anchor - _turn(quat, model.jnt_pos[joint]), quat


def _turn(quat: Array, v: Array) -> Array:
    return np.asarray(quat_to_matrix(quat) @ np.asarray(v, float))
