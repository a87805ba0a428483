#!/usr/bin/env python3
"""Judges published offline maps from outside, with other people's readers: zipfile, sqlite3, rasterio (GDAL), lerc, mapbox-vector-tile.

    judge-demo.py OUTPUT_DIR              what the folders hold
    judge-demo.py --online OUTPUT_DIR     and whether tiles and rows are those of the services, which must be running

Prints a line a check; exits with 1 when one failed. `make setup` makes the environment (.venv) that it needs.
"""
import argparse
import gzip
import hashlib
import io
import json
import os
import sqlite3
import struct
import sys
import urllib.parse
import urllib.request
import zipfile

import lerc
import mapbox_vector_tile
import numpy
import rasterio
import rasterio.windows
from PIL import Image

failures = 0
checks = 0


def check(name, condition, detail=""):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
    print(("ok      " if condition else "FAILED  ") + name + (f": {detail}" if detail and not condition else ""))
    return condition


def fetch(url, parameters=None):
    data = urllib.parse.urlencode(parameters).encode() if parameters else None
    with urllib.request.urlopen(urllib.request.Request(url, data=data, headers={"Accept-Encoding": "gzip"}), timeout=60) as answer:
        body = answer.read()
        return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def layers_of(document):
    """Every layer and table of a map document, groups opened."""
    def walk(layers):
        for layer in layers:
            if layer.get("layerType") == "GroupLayer":
                yield from walk(layer.get("layers", []))
            else:
                yield layer
    yield from walk(document["baseMap"]["baseMapLayers"])
    yield from walk(document.get("operationalLayers", []))
    yield from walk(document.get("tables", []))


class Bundles:
    """Tiles of a compact cache V2 in a package, read by the published layout (Esri, raster-tiles-compactcache)."""

    def __init__(self, package):
        self.zip = zipfile.ZipFile(package)
        self.names = [n for n in self.zip.namelist() if n.endswith(".bundle")]

    def tiles(self):
        for name in self.names:
            level = int(name.split("/")[-2][1:])
            row, column = name.split("/")[-1][1:-7].split("C")
            bundle = self.zip.read(name)
            index = struct.unpack("<16384Q", bundle[64:64 + 131072])
            for number, entry in enumerate(index):
                size, offset = entry >> 40, entry & ((1 << 40) - 1)
                if size:
                    yield (level, int(row, 16) + number // 128, int(column, 16) + number % 128), bundle[offset:offset + size]


def judge_inventory(folder, inventory, area):
    listed = {f["path"]: f for f in inventory["files"]}
    found = {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}
    check(f"{area}: the inventory lists every file", found - {"inventory.json"} == set(listed), str(found ^ set(listed)))
    wrong = []
    for path, entry in listed.items():
        with open(os.path.join(folder, path), "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != entry["sha256"] or len(content) != entry["bytes"]:
            wrong.append(path)
    check(f"{area}: sizes and hashes of {len(listed)} files are those of the inventory", not wrong, str(wrong))
    check(f"{area}: nothing of an editor or a database lies about", not [p for p in found if p.endswith(("-wal", "-shm", ".aux.xml"))])


def judge_document(folder, area):
    with open(os.path.join(folder, "package.info")) as file:
        info = json.load(file)
    check(f"{area}: package.info is a mobile map package of one map",
          info["type"] == "Mobile Map Package" and info["maps"] == ["mobile_map"] and len(info["guid"]) == 32)
    with open(os.path.join(folder, "p13/mobile_map.mmap")) as file:
        document = json.load(file)
    local = 0
    for layer in layers_of(document["map"]):
        for key in ("path", "itemPath"):
            if key in layer:
                local += 1
                place = layer[key].removeprefix("file:./").split("?")[0]
                check(f"{area}: {layer['title']}: {key} is a file of the map",
                      layer[key].startswith("file:./") and os.path.exists(os.path.join(folder, "p13", place)), layer[key])
    check(f"{area}: layers point to local files", local > 0)
    view = document["map"]["initialState"]["viewpoint"]["targetGeometry"]
    check(f"{area}: the map opens on the area", view["xmin"] < view["xmax"] and view["ymin"] < view["ymax"])


def judge_replica(path, source, area, online):
    database = sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode=ro&immutable=1", uri=True)
    # Esri's collation, which only its own library brings.
    database.create_collation("ICUFOLDCASE", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
    check(f"{area}: sqlite finds the replica sound", database.execute("PRAGMA quick_check").fetchall() == [("ok",)])
    queries = json.loads(source["parameters"].get("layerQueries", "{}"))
    items = database.execute(
        "SELECT ItemId, DatasetName, ItemInfo FROM GDB_ServiceItems NOT INDEXED WHERE DatasetName IS NOT NULL AND ItemType <> 0").fetchall()
    for number, dataset, text in items:
        label = next((k for k in source["counts"] if k.startswith(f"{number} ") and not k.endswith(" attachments")), None)
        # The view is the archive filter, rows that are current; copies that no sync knows have no archive.
        view = f"{dataset}_evw" if database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (f"{dataset}_evw",)).fetchone() else dataset
        rows = database.execute(f'SELECT count(*) FROM "{view}"').fetchone()[0]
        check(f"{area}: {rows} rows of layer {number} ({dataset}), as the inventory says", label and source["counts"][label] == rows,
              f"{label}: {source['counts'].get(label)}")
        query = queries.get(str(number), {})
        if not online or query.get("queryOption") == "none":
            continue
        parameters = {"f": "json", "where": query.get("where", "1=1"), "returnCountOnly": "true"}
        if query.get("useGeometry", True):
            parameters |= {k: source["parameters"][k] for k in ("geometry", "geometryType", "inSR")}
        answer = json.loads(fetch(source["url"].rsplit("/", 1)[0] + f"/{number}/query", parameters))
        check(f"{area}: the service counts {rows} rows in layer {number}", answer.get("count") == rows, str(answer))


def judge_raster(path, source, area, online):
    name = os.path.basename(path)
    package = Bundles(path)
    check(f"{area}: {name}: the zip is sound", package.zip.testzip() is None)
    tiles = dict(package.tiles())
    counts = {}
    for level, _, _ in tiles:
        counts[f"level {level}"] = counts.get(f"level {level}", 0) + 1
    check(f"{area}: {name}: {len(tiles)} tiles, level by level as the inventory says", counts == source["counts"],
          f"{counts} {source['counts']}")
    root = json.loads(package.zip.read("root.json"))
    info = root["tileInfo"]
    if root.get("tileImageInfo", {}).get("format", "").startswith("LERC"):
        return judge_heights(tiles, source, f"{area}: {name}", info, online)
    with rasterio.open(path) as raster:
        check(f"{area}: {name}: GDAL reads it as {raster.driver}, {raster.width} x {raster.height}", raster.driver == "ESRIC")
        deepest = max(level for level, _, _ in tiles)
        size = next(lod["resolution"] for lod in info["lods"] if lod["level"] == deepest)
        compared, different = 0, []
        inside = [key for key in sorted(tiles) if key[0] == deepest]
        # A few over the whole area; every pixel of each.
        for key in inside[:: max(1, len(inside) // 9)]:
            level, row, column = key
            left = info["origin"]["x"] + column * info["cols"] * size
            top = info["origin"]["y"] - row * info["rows"] * size
            x, y = round((left - raster.bounds.left) / size), round((raster.bounds.top - top) / size)
            if x < 0 or y < 0 or x + info["cols"] > raster.width or y + info["rows"] > raster.height:
                continue
            window = rasterio.windows.Window(x, y, info["cols"], info["rows"])
            seen = numpy.moveaxis(raster.read(window=window), 0, 2)
            picture = fetch(source["url"].rsplit("/", 1)[0] + f"/tile/{level}/{row}/{column}") if online else tiles[key]
            wanted = numpy.asarray(Image.open(io.BytesIO(picture)).convert("RGBA"))
            compared += 1
            if not numpy.array_equal(seen[:, :, :3], wanted[:, :, :3]):
                different.append(key)
        origin = "the service's" if online else "those of its tiles"
        check(f"{area}: {name}: pixels that GDAL sees are {origin} ({compared} tiles of level {deepest})",
              compared > 0 and not different, f"compared {compared}, different {different}")


def judge_heights(tiles, source, name, info, online):
    """GDAL's package driver knows pictures only; Esri's own decoder reads every tile."""
    grids = {key: lerc.decode(tile)[:2] for key, tile in tiles.items()}
    check(f"{name}: lerc decodes {len(grids)} tiles of {info['cols'] + 1} × {info['rows'] + 1} heights",
          grids and all(code == 0 and grid.shape == (info["rows"] + 1, info["cols"] + 1) for code, grid in grids.values()))
    if online:
        service = source["url"].rsplit("/", 1)[0]
        different = [key for key, tile in tiles.items() if fetch("{}/tile/{}/{}/{}".format(service, *key)) != tile]
        check(f"{name}: they are the service's", not different, str(different))


def judge_vector(path, source, area, online):
    name = os.path.basename(path)
    package = Bundles(path)
    check(f"{area}: {name}: the zip is sound", package.zip.testzip() is None)
    tiles = dict(package.tiles())
    counts = {}
    for level, _, _ in tiles:
        counts[f"level {level}"] = counts.get(f"level {level}", 0) + 1
    check(f"{area}: {name}: {len(tiles)} tiles, level by level as the inventory says", counts == source["counts"],
          f"{counts} {source['counts']}")
    key = max(tiles, key=lambda k: (k[0], len(tiles[k])))
    plain = gzip.decompress(tiles[key])
    layers = mapbox_vector_tile.decode(plain)
    features = sum(len(layer["features"]) for layer in layers.values())
    check(f"{area}: {name}: mapbox-vector-tile decodes tile {key}: {features} features of {', '.join(sorted(layers))}", features > 0)
    if online:
        level, row, column = key
        live = fetch(source["url"].rsplit("/", 1)[0] + f"/tile/{level}/{row}/{column}.pbf")
        check(f"{area}: {name}: tile {key} is the service's", live == plain)
    style = json.loads(package.zip.read("p12/resources/styles/root.json"))
    check(f"{area}: {name}: its style has {len(style['layers'])} layers", style["version"] == 8 and style["layers"])


def judge_style(path, area):
    with open(os.path.join(path, "styles/root.json")) as file:
        style = json.load(file)
    check(f"{area}: the map's own style has {len(style['layers'])} layers", style["version"] == 8 and style["layers"])
    if "sprite" in style:
        picture = os.path.join(path, "sprites/sprite.png")
        check(f"{area}: its sprites are a picture", os.path.exists(picture) and Image.open(picture).size[0] > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--online", action="store_true")
    arguments = parser.parse_args()
    areas = sorted(n for n in os.listdir(arguments.output) if os.path.islink(os.path.join(arguments.output, n, "current")))
    check(f"{len(areas)} areas are published", areas)
    for area in areas:
        link = os.path.join(arguments.output, area, "current")
        check(f"{area}: current is a generation", os.readlink(link).startswith("generations/") and os.path.isdir(link))
        folder = os.path.realpath(link)
        with open(os.path.join(folder, "inventory.json")) as file:
            inventory = json.load(file)
        judge_inventory(folder, inventory, area)
        judge_document(folder, area)
        for source in inventory["sources"]:
            path = os.path.join(folder, source["path"])
            if source["kind"] == "replica":
                judge_replica(path, source, area, arguments.online)
            elif source["kind"] == "tiles":
                judge_raster(path, source, area, arguments.online)
            elif source["kind"] == "vectorTiles":
                judge_vector(path, source, area, arguments.online)
            elif source["kind"] == "style":
                judge_style(path, area)
        # Readers must not have left anything behind either.
        judge_inventory(folder, inventory, area + " (again)")
    print(f"{checks} checks, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
