#!/usr/bin/env python3
"""Coiling frequency of a viscous thread that falls on a floor, by the theory of slender threads in steady coiling
(N. M. Ribe: Coiling of viscous jets, Proc. R. Soc. A 460, 2004).

usage: tools/coil_frequency.py RADIUS SPEED HEIGHT VISCOSITY DENSITY      (m, m/s, m, Pa s, kg/m^3; needs scipy)

In the frame that turns with the coil the thread stands still. Along its length s, with tangent d, speed U (its area is Q/U), angular
velocity w of its cross sections, force N and moment M:

    x' = d    U d' = (w - Omega e) x d    3 eta A U' = N.d    w' = (M_bend/3 + M_twist/2)/(eta I)    N' = rho A (a - g)    M' = N x d

At the mouth it hangs down and does not turn; on the floor it lies still. Without gravity and inertia Omega = 3.86 U/H for a/H = 0.06.
"""
import sys

import numpy as np
from scipy.integrate import solve_bvp

UP = np.array([0.0, 0.0, 1.0])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def first_guess(points=60):
    """A thread that leaves the axis and turns aside; Omega and the length in units of speed/height and height."""
    t = np.linspace(0, 1, points)
    y = np.zeros((16, points))
    aside = np.pi / 2 * np.clip((t - 0.3) / 0.7, 0, 1)
    y[0] = 0.3 * np.sin(np.pi / 2 * t) ** 2
    y[4], y[5], y[6] = -np.sin(aside), -np.cos(aside), 1
    fall = 1 - np.cumsum(np.cos(aside)) / points
    y[2] = (fall - fall[-1]) / (fall[0] - fall[-1])
    return t, y, np.array([1 / 0.3, 1.25])


def steady_coiling(slenderness, gravity, inertia, guess):
    """Lengths in heights, speeds in that of the mouth, forces in eta A U/H. slenderness is I/(A H^2) at the mouth."""
    def change(_, y, unknown):
        omega, length = unknown
        x, d, u, w, n, m = y[0:3], y[3:6], y[6], y[7:10], y[10:13], y[13:16]
        up = np.zeros_like(x)
        up[2] = 1
        d_along = cross(w - omega * up, d) / u
        u_along = (n * d).sum(0) * u / 3
        twist = (m * d).sum(0) * d
        w_along = ((m - twist) / 3 + twist / 2) * u ** 2 / slenderness
        acceleration = u * (u_along * d + u * d_along) + 2 * omega * cross(up, u * d) + omega ** 2 * cross(up, cross(up, x))
        n_along = (inertia * acceleration + gravity * up) / u
        return length * np.vstack([d, d_along, u_along[None], w_along, n_along, cross(n, d)])

    def ends(a, b, unknown):
        slip = b[6] * b[3:6] + unknown[0] * np.cross(UP, b[0:3])
        return np.concatenate([a[0:3] - UP, a[3:6] + UP, [a[6] - 1], a[7:10],
                               [b[2], b[5], slip[0], slip[1], b[1]], b[7:10]])

    return solve_bvp(change, ends, guess[0], guess[1], p=guess[2], tol=1e-4, max_nodes=20000)


def main():
    radius, speed, height, viscosity, density = map(float, sys.argv[1:6])
    guess = first_guess()
    for thicker in np.geomspace(1e3, 1, 25):   # starts where gravity and inertia do not matter
        eta = viscosity * thicker
        found = steady_coiling((radius / height) ** 2 / 4, density * 9.81 * height ** 2 / (eta * speed),
                               density * speed * height / eta, guess)
        if found.status != 0:
            sys.exit(f"no solution at {eta:g} Pa s: {found.message}")
        guess = (found.x, found.y, found.p)
    omega = found.p[0] * speed / height
    print(f"frequency {omega:.4g} rad/s, period {2 * np.pi / omega:.4g} s, coil radius {found.y[0, -1] * height:.4g} m, "
          f"speed on the floor {found.y[6, -1] * speed:.4g} m/s")


main()
