#!/usr/bin/env python3
"""Writes the serpent of scenes/takahashi2014/fig11: a closed tube with a ridged back, coiled on the ground, neck raised.

usage: tools/make_serpent.py > scenes/takahashi2014/serpent.obj

The paper's figure has a dragon; our own complex solid takes its place. Y is up, lengths are meters.
"""
from math import cos, pi, sin, sqrt

RINGS, SIDES = 96, 16
RADIUS = 0.21          # of the thickest part of the body


def smooth(a, b, t):
    t = min(1.0, max(0.0, (t - a) / (b - a)))
    return t * t * (3 - 2 * t)


def center(s):
    """Point of the spine; s runs from the tip of the tail (0) to the snout (1)."""
    turn = 2 * pi * (1.35 * s)
    coil = 0.72 - 0.42 * smooth(0.45, 0.95, s)
    rise = RADIUS * (0.25 + 0.85 * smooth(0, 0.15, s)) + 1.25 * smooth(0.42, 0.95, s)
    lean = -0.55 * smooth(0.86, 1.0, s)
    return (coil * cos(turn) + lean, rise - 0.1 * smooth(0.93, 1.0, s), coil * sin(turn))


def radius(s):
    body = RADIUS * (0.25 + 0.75 * smooth(0, 0.3, s)) * (1 - 0.35 * smooth(0.55, 0.85, s))
    head = 0.075 * smooth(0.86, 0.92, s) * (1 - smooth(0.95, 1.0, s))
    return body + head


def sub(a, b):
    return tuple(p - q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    n = sqrt(sum(p * p for p in a))
    return tuple(p / n for p in a)


def ring(n):
    s = n / (RINGS - 1)
    along = unit(sub(center(s + 0.002), center(s - 0.002)))
    side = unit(cross(along, (0, 1, 0)))
    up = cross(side, along)
    middle = center(s)
    ridge = 0.45 * max(0.0, sin(2 * pi * 9 * s)) * smooth(0.1, 0.3, s)
    for k in range(SIDES):
        angle = 2 * pi * k / SIDES
        r = radius(s) * (1 + ridge * max(0.0, sin(angle)) ** 6)
        yield tuple(m + r * (cos(angle) * a + sin(angle) * b) for m, a, b in zip(middle, side, up))


def main():
    print("# made by tools/make_serpent.py")
    tips = (center(-0.012), center(1.012))
    for p in [tips[0], *(p for n in range(RINGS) for p in ring(n)), tips[1]]:
        print("v %.4f %.4f %.4f" % p)
    number = lambda n, k: 2 + n * SIDES + k % SIDES
    last = 2 + RINGS * SIDES
    for k in range(SIDES):
        print("f 1", number(0, k), number(0, k + 1))
    for n in range(RINGS - 1):
        for k in range(SIDES):
            print("f", number(n, k), number(n + 1, k), number(n + 1, k + 1), number(n, k + 1))
    for k in range(SIDES):
        print("f", last, number(RINGS - 1, k + 1), number(RINGS - 1, k))


main()
