#!/usr/bin/env python3
"""Esri's own classes judge a map document: `Webmap` of the package `arcgis-mapping` validates `map` of mobile_map.mmap (formats.md 11.2).

    map-document.py AREA_FOLDER...     each the `current` of a published area, or any folder of a mobile map package

Beside the document of each folder three damaged copies are tried, which must be refused: the judge must be able to. Exits with 1 when a check failed.
Not part of `make test`: `arcgis-mapping` is proprietary and large (`make judge-arcgis`).
"""
import copy
import json
import os
import sys

from arcgis.map.dataclasses.models.mapping import Webmap

failures = 0


def problems(document):
    try:
        Webmap.model_validate(document)
    except Exception as error:  # noqa: BLE001
        return str(error) or type(error).__name__
    return None


def check(name, condition, detail=""):
    global failures
    failures += not condition
    print(("ok      " if condition else "FAILED  ") + name + (f": {detail[:600]}" if detail and not condition else ""))


def damaged(document):
    """What formats.md saw refused."""
    without_base = copy.deepcopy(document)
    del without_base["baseMap"]
    without_reference = copy.deepcopy(document)
    del without_reference["spatialReference"]
    layers = copy.deepcopy(document)
    layers["operationalLayers"] = 7
    return {"without a base map": without_base, "without a spatial reference": without_reference, "with a number for its layers": layers}


for folder in sys.argv[1:]:
    with open(os.path.join(folder, "package.info"), encoding="utf-8") as file:
        names = json.load(file)["maps"]
    for name in names:
        place = next(os.path.join(root, name + ".mmap") for root, _, files in os.walk(folder) if name + ".mmap" in files)
        with open(place, encoding="utf-8") as file:
            document = json.load(file)["map"]
        found = problems(document)
        check(f"{place}: Esri's Webmap accepts it", found is None, found or "")
        for what, copied in damaged(document).items():
            check(f"{place}: {what} it is refused", problems(copied) is not None)
sys.exit(1 if failures else 0)
