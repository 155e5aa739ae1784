# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""From Y up, as treacle counts, to Z up, as Blender counts, and back. No part of Blender is needed here."""

import numpy as np

# (x, y, z) of treacle is (x, -z, y) in Blender: a quarter turn about x.
_HALF = 0.5 ** 0.5
TURN = (_HALF, _HALF, 0.0, 0.0)   # as a quaternion w x y z


def to_blender(vectors):
    """Rows of (x, y, z) in treacle's axes as rows in Blender's."""
    vectors = np.asarray(vectors)
    turned = np.empty(vectors.shape, dtype=np.float32 if vectors.dtype == np.float32 else np.float64)
    turned[..., 0] = vectors[..., 0]
    turned[..., 1] = -vectors[..., 2]
    turned[..., 2] = vectors[..., 1]
    return turned


def to_treacle(vectors):
    """The way back."""
    vectors = np.asarray(vectors, dtype=np.float64)
    turned = np.empty(vectors.shape)
    turned[..., 0] = vectors[..., 0]
    turned[..., 1] = vectors[..., 2]
    turned[..., 2] = -vectors[..., 1]
    return turned


def multiply(a, b):
    """Product of two quaternions (w, x, y, z): first b, then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def _conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def rotation_to_blender(q):
    """A rotation of treacle's space as one of Blender's: both turn the same things in the same way."""
    return multiply(multiply(TURN, q), _conjugate(TURN))


def rotation_to_treacle(q):
    return multiply(multiply(_conjugate(TURN), q), TURN)
