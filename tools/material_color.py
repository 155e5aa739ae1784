#!/usr/bin/env python3
"""Color of a material of barreiro2017 by its relaxation time and compliance, as in the inset of the paper's section 3.2.

usage: tools/material_color.py TAU ALPHA

Yellow is elastic (long tau, alpha = 0), magenta viscous (tau = 0, alpha = 0), cyan inviscid (large alpha). The paper shows the colors
of the three corners, but no scales: halfway from magenta to yellow is at 0.1 s here, halfway to cyan at alpha = 0.3.
"""
import sys

YELLOW, MAGENTA, CYAN = (0xF2, 0xD0, 0x1E), (0xD8, 0x32, 0xA0), (0x1F, 0xBF, 0xD6)


def mix(a, b, share):
    return tuple((1 - share) * p + share * q for p, q in zip(a, b))


def material_color(tau, alpha):
    elastic = mix(MAGENTA, YELLOW, tau / (tau + 0.1))
    return "#%02x%02x%02x" % tuple(round(c) for c in mix(elastic, CYAN, alpha / (alpha + 0.3)))


if __name__ == "__main__":
    print(material_color(float(sys.argv[1]), float(sys.argv[2])))
