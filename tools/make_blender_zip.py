#!/usr/bin/env python3
"""Packs the Blender add-on into treacle_blender.zip, which Blender installs: tools/make_blender_zip.py [FILE].

The zip is the same every time: fixed order, fixed dates. It serves Blender 3.4 (as an add-on in a folder) and 4.2 and
later (as an extension, by blender_manifest.toml in the same folder).
"""

import pathlib
import sys
import zipfile

source = pathlib.Path(__file__).resolve().parent.parent / "addons" / "blender" / "treacle"
target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "treacle_blender.zip")
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(source.iterdir()):
        if path.suffix not in (".py", ".toml"):
            continue
        entry = zipfile.ZipInfo("treacle/" + path.name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, path.read_bytes())
print(target)
