#!/usr/bin/env python3
"""Makes docs/gallery.md and its pictures from the scenes of scenes/gallery.

usage: tools/make_gallery.py [--program build/release/treacle] [--runs out/gallery] [--page] [SCENE ...]

Runs each scene that has no run yet, draws its picture, and notes the cost of both (processor seconds, whatever else the
machine does) in docs/images/gallery/costs.json. With --page only the page is written, from these notes.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENES = os.path.join(ROOT, "scenes", "gallery")
IMAGES = os.path.join(ROOT, "docs", "images", "gallery")
COSTS = os.path.join(IMAGES, "costs.json")
SIZE = (480, 270)
LARGEST = 150000   # bytes

# The frame of the picture, if it is not the last one.
FRAMES = {"honey_pancakes": 66, "slime_hands": 40, "chocolate_rabbit": 78, "slime_on_a_step": 16, "gelatin": 125, "piped_cream": 44, "dough": 30}
ORDER = ["honey_pancakes", "egg", "slime_hands", "chocolate_rabbit", "cream_swirl", "mozzarella", "dough"]


def names():
    found = sorted(f[:-5] for f in os.listdir(SCENES) if f.endswith(".json") and not f.endswith(".expect.json"))
    return [n for n in ORDER if n in found] + [n for n in found if n not in ORDER]


def scene(name):
    """The scene as data, and the comment at its top."""
    text = open(os.path.join(SCENES, name + ".json")).read()
    comment = " ".join(line[2:].strip() for line in text.split("\n") if line.startswith("//"))
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M)), comment


def measured(command):
    """Processor seconds of a program, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shrink(path):
    """Fewer colors, only if the file is too large otherwise."""
    if os.path.getsize(path) <= LARGEST:
        return
    from PIL import Image
    Image.open(path).convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def picture(name, options, costs):
    run = os.path.join(options.runs, name)
    cost = costs.setdefault(name, {})
    if not os.path.exists(os.path.join(run, "summary.json")):
        subprocess.run([options.program, "run", os.path.join(SCENES, name + ".json"), "-o", run, "--quiet"], check=True)
    summary = json.load(open(os.path.join(run, "summary.json")))
    cost.update(particles=summary["particles"], frames=summary["frames"], steps=summary["steps"],
                run_seconds=round(summary["cpu_seconds"], 1))
    cost["frame"] = FRAMES.get(name, summary["frames"])
    target = os.path.join(IMAGES, name + ".png")
    cost["picture_seconds"] = round(measured(
        [options.program, "render", run, "--frame", str(cost["frame"]), "--surface", "--bare", "--quality", "fine", "--quiet",
         "--width", str(SIZE[0]), "--height", str(SIZE[1]), "-o", target]), 1)
    shrink(target)


def minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"


def page(costs):
    lines = ["# Gallery", "",
             "Made by `tools/make_gallery.py` from the scenes of [scenes/gallery](../scenes/gallery). Times are seconds of one processor",
             "core (AMD EPYC); several share the work. To make one yourself:", "", "```",
             "treacle run scenes/gallery/honey_pancakes.json",
             "treacle render out/honey_pancakes --surface --frame 66 --quality fine --bare",
             "treacle render out/honey_pancakes --surface --video", "```", ""]
    for name in (n for n in names() if n in costs):
        data, comment = scene(name)
        cost = costs[name]
        lines += [f"## {data.get('name', name)}", "", f"![{data.get('name', name)}](images/gallery/{name}.png)", "", comment, "",
                  f"[`{name}.json`](../scenes/gallery/{name}.json), method [`{data['method']}`](methods/{data['method']}.md), "
                  f"{cost['particles']} particles at the end, {cost['frames']} frames in {cost['steps']} steps. Run: {minutes(cost['run_seconds'])}. "
                  f"Picture of frame {cost['frame']}: {minutes(cost['picture_seconds'])}.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "treacle"))
    parser.add_argument("--runs", default="out/gallery")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("scenes", nargs="*")
    options = parser.parse_args()
    unknown = [name for name in options.scenes if name not in names()]
    if unknown:
        sys.exit(f"no scene {unknown[0]} in {SCENES}; there are {', '.join(names())}")
    os.makedirs(IMAGES, exist_ok=True)
    costs = json.load(open(COSTS)) if os.path.exists(COSTS) else {}
    for name in [] if options.page else options.scenes or names():
        picture(name, options, costs)
        json.dump(costs, open(COSTS, "w"), indent=1, sort_keys=True)
    with open(os.path.join(ROOT, "docs", "gallery.md"), "w") as file:
        file.write(page(costs))


main()
