#!/usr/bin/env python3
"""Clients that we did not write read a running demo portal: GDAL (`ogr2ogr`, `gdal_translate`, rasterio) and pyesridump.

    portal-clients.py SERVER        SERVER is `server` of the ready file: http://127.0.0.1:NNNN/server

Every layer and table of every feature service is read by GDAL's ESRIJSON driver and by pyesridump, in pages that are smaller than the
layer. Both must find the rows that the service counts, with its attributes (nulls, dates, texts), and places in and around Naperville; GDAL
projects by itself, pyesridump lets the service project, and both must come to the same places. Pictures of map and image services, and of
an exported tile package, must be those of the service's tiles; heights are decoded by Esri's lerc. Vector tiles, PBF and styles are not looked at here.

Prints a line a check; exits with 1 when one failed, with 2 when a tool is missing. Needs gdal-bin and `make setup`.
"""
import datetime
import io
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import warnings
import zipfile

import lerc
import rasterio
import rasterio.errors
import rasterio.windows
from PIL import Image, ImageChops, ImageStat

try:
    from esridump.dumper import EsriDumper
except ImportError:
    EsriDumper = None

# West, south, east, north of the town, with a margin.
NAPERVILLE = (-88.27, 41.66, -88.07, 41.85)
PAGE = 20
checks = failures = 0


def check(name, condition, detail=""):
    global checks, failures
    checks += 1
    failures += not condition
    print(("ok      " if condition else "FAILED  ") + name + (f": {str(detail)[:500]}" if detail and not condition else ""))
    return condition


def fetch(url, parameters=None):
    data = urllib.parse.urlencode(parameters).encode() if parameters else None
    with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=60) as answer:
        return answer.read()


def ask(url, **parameters):
    answer = json.loads(fetch(url, parameters | {"f": "json"}))
    if "error" in answer:
        raise RuntimeError(f"{url}: {answer['error']}")
    return answer


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0 or "ERROR" in result.stderr:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr}")
    return result.stdout


def services(server):
    """Path and type of every service, folders opened."""
    root = server + "/rest/services"
    listing = ask(root)
    found = listing["services"] + [s for folder in listing["folders"] for s in ask(f"{root}/{folder}")["services"]]
    return [(f"{root}/{s['name']}/{s['type']}", s["type"]) for s in found]


def milliseconds(value):
    """A date as milliseconds: GDAL before 3.7 gives the service's number as a text, later ones a date."""
    if value is None or isinstance(value, int) or value.lstrip("-").isdigit():
        return None if value is None else int(value)
    date = datetime.datetime.fromisoformat(value.replace("/", "-"))
    return round((date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp() * 1000)


def same(left, right):
    if isinstance(left, float) or isinstance(right, float):
        return None not in (left, right) and math.isclose(left, right, rel_tol=1e-12)
    return left == right


def positions(geometry):
    """All positions of a GeoJSON geometry, as a flat list."""
    def walk(node):
        if node and isinstance(node[0], (int, float)):
            yield node[0], node[1]
        else:
            for part in node:
                yield from walk(part)
    return list(walk(geometry["coordinates"])) if geometry else []


def box(geometry):
    places = positions(geometry)
    return (*map(min, zip(*places)), *map(max, zip(*places))) if places else None


def compare(client, name, features, truth, fields):
    """`features`: GeoJSON of a client; `truth`: attributes by object id, as the service writes them."""
    dates = {f["name"] for f in fields if f["type"] == "esriFieldTypeDate"}
    found = {f["properties"]["OBJECTID"]: f["properties"] for f in features}
    check(f"{client}: {name}: {len(truth)} rows, each once", len(features) == len(truth) and found.keys() == truth.keys(),
          f"{len(features)} rows, {len(found)} ids")
    wrong = []
    for key in found.keys() & truth.keys():
        for column, value in truth[key].items():
            # GDAL leaves out what is null.
            read = found[key].get(column)
            if column in dates:
                read = milliseconds(read)
            if not same(read, value):
                wrong.append((key, column, read, value))
    check(f"{client}: {name}: every value of {len(fields)} fields", not wrong, wrong[:3])
    west, south, east, north = NAPERVILLE
    away = [p for f in features for p in positions(f["geometry"]) if not (west < p[0] < east and south < p[1] < north)]
    check(f"{client}: {name}: all places are in the town", not away, away[:3])


def judge_layer(url, folder):
    layer = ask(url)
    name = layer["name"]
    count = ask(url + "/query", where="1=1", returnCountOnly="true")["count"]
    truth, bare = {}, 0
    while len(truth) < count:
        page = ask(url + "/query", where="1=1", outFields="*", orderByFields="OBJECTID", resultOffset=len(truth))["features"]
        if not page:
            break
        truth |= {f["attributes"]["OBJECTID"]: f["attributes"] for f in page}
        bare += sum("geometry" not in f for f in page)
    source = f"{url}/query?where=1%3D1&outFields=*&resultRecordCount={PAGE}&f=json"
    target = os.path.join(folder, "rows.geojsonl")
    try:
        run("ogr2ogr", "-f", "GeoJSONSeq", "-overwrite", target, "ESRIJSON:" + source, "-oo", "FEATURE_SERVER_PAGING=YES")
        with open(target) as file:
            read = [json.loads(line) for line in file]
        os.remove(target)
        dumped = list(EsriDumper(url, pause_seconds=0, max_page_size=PAGE))
        counted = list(EsriDumper(url, pause_seconds=0, max_page_size=PAGE, paginate_oid=True))
    except Exception as problem:  # Whatever a client throws is its verdict.
        check(f"{name}: is read", False, problem)
        return
    compare("GDAL", name, read, truth, layer["fields"])
    compare("esridump", name, dumped, truth, layer["fields"])
    check(f"esridump: {name}: the same by object ids", sorted(f["properties"]["OBJECTID"] for f in counted) == sorted(truth))
    shapes = [{f["properties"]["OBJECTID"]: f["geometry"] for f in features} for features in (read, dumped)]
    check(f"GDAL and esridump: {name}: {bare} rows without geometry", [sum(not g for g in s.values()) for s in shapes] == [bare] * 2)
    off = []
    for key in truth:
        left, right = (s.get(key) for s in shapes)
        if len(positions(left)) != len(positions(right)):
            off.append((key, left, right))
        elif left and max(abs(a - b) for a, b in zip(box(left), box(right))) > 3e-7:
            off.append((key, box(left), box(right)))
    check(f"GDAL and esridump: {name}: the same places, whoever projects", not off, off[:1])


def level_window(root, level):
    """The four tiles about the corner that is nearest to the middle of the service: row, column, and corners for `-projwin`."""
    info = root["tileInfo"]
    span = next(lod["resolution"] for lod in info["lods"] if lod["level"] == level) * info["cols"]
    extent, origin = root["fullExtent"], info["origin"]
    column = round(((extent["xmin"] + extent["xmax"]) / 2 - origin["x"]) / span) - 1
    row = round((origin["y"] - (extent["ymin"] + extent["ymax"]) / 2) / span) - 1
    left, top = origin["x"] + column * span, origin["y"] - row * span
    return row, column, [left, top, left + 2 * span, top - 2 * span]


def translated(source, corners, folder):
    """A window as gdal_translate sees it, 512 pixels wide and high, and which part of it that is."""
    target = os.path.join(folder, "picture.png")
    run("gdal_translate", "-q", "-of", "PNG", "-projwin", *map(str, corners), "-outsize", "512", "512", source, target)
    try:
        with Image.open(target) as picture:
            return picture.convert("RGB"), (0, 0, 512, 512)
    finally:
        os.remove(target)


def read_package(path, corners, _):
    """The same of a tile package, by the GDAL inside rasterio: that of Debian 12 does not know .tpkx yet."""
    with rasterio.open(path) as source:
        # The package ends at the extent, the tiles do not: only what both have.
        left = round((corners[0] - source.bounds.left) / source.res[0])
        top = round((source.bounds.top - corners[1]) / source.res[1])
        window = rasterio.windows.Window(left, top, 512, 512).intersection(rasterio.windows.Window(0, 0, source.width, source.height))
        picture = Image.fromarray(source.read((1, 2, 3), window=window).transpose(1, 2, 0))
        x, y = window.col_off - left, window.row_off - top
        return picture, (x, y, x + window.width, y + window.height)


def decoded(tile):
    return Image.open(io.BytesIO(tile)).convert("RGB")


def decoded_by_rasterio(tile):
    with warnings.catch_warnings(), rasterio.MemoryFile(tile) as file:
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with file.open() as source:
            return Image.fromarray(source.read((1, 2, 3)).transpose(1, 2, 0))


def judge_picture(client, name, read, decode, source, url, root, level, folder):
    row, column, corners = level_window(root, level)
    expected = Image.new("RGB", (512, 512))
    for y in (0, 1):
        for x in (0, 1):
            expected.paste(decode(fetch(f"{url}/tile/{level}/{row + y}/{column + x}")), (256 * x, 256 * y))
    try:
        seen, part = read(source, corners, folder)
    except Exception as problem:  # Whatever a client throws is its verdict.
        check(f"{client}: {name}: is read", False, problem)
        return
    difference = ImageStat.Stat(ImageChops.difference(expected.crop(part), seen))
    # Two JPEG decoders may smooth colours in two ways. A picture that lies one pixel off differs by more than 5.
    allowed = 2 if root["tileInfo"]["format"].startswith("JP") else 0
    check(f"{client}: {name}: the pixels of level {level} are the service's", max(difference.mean) <= allowed, f"{difference.mean} in {part}")
    check(f"{client}: {name}: something is drawn", len(expected.getcolors(1 << 20)) > 10)


def export(url, levels, folder):
    """The tile package that `exportTiles` makes."""
    job = ask(url + "/exportTiles", tilePackage="true", storageFormatType="esriMapCacheStorageModeCompactV2", exportBy="LevelID",
              levels=levels, exportExtent="DEFAULT")["jobId"]
    status = {"jobStatus": ""}
    place = None
    for _ in range(300):
        for place in (f"{url}/exportTiles/jobs/{job}", f"{url}/jobs/{job}"):
            try:
                status = ask(place)
                break
            except (RuntimeError, urllib.error.HTTPError):
                continue
        if status.get("jobStatus", status.get("status", "")) in ("esriJobSucceeded", "esriJobFailed"):
            break
        time.sleep(0.2)
    value = status.get("output", {}).get("outputUrl")
    if isinstance(value, list):
        value = value[0]
    if value is None:
        folder_url = ask(place + "/" + status["results"]["out_service_url"]["paramUrl"])["value"]
        value = ask(folder_url)["files"][0]["url"]
    elif not urllib.parse.urlsplit(value).path.endswith(".tpkx"):
        value = ask(value)["files"][0]["url"]
    path = os.path.join(folder, "export.tpkx")
    with open(path, "wb") as file:
        file.write(fetch(value))
    return path


def heights(tile):
    code, grid, valid = lerc.decode(tile)[:3]
    return None if code else grid


def judge_elevation(url, root, name, folder):
    """Esri's own decoder: sizes, the range that the service claims, common edges of neighbours, and the same in a package."""
    level = 15
    row, column, _ = level_window(root, level)
    tiles = [[fetch(f"{url}/tile/{level}/{row + y}/{column + x}") for x in (0, 1)] for y in (0, 1)]
    grids = [[heights(tile) for tile in line] for line in tiles]
    side = root["tileInfo"]["cols"] + 1
    if not check(f"lerc: {name}: {side} × {side} heights", all(g is not None and g.shape == (side, side) for l in grids for g in l)):
        return
    error = root["tileInfo"]["lercError"]
    low, high = min(g.min() for l in grids for g in l), max(g.max() for l in grids for g in l)
    check(f"lerc: {name}: heights within the range that the service claims",
          root["minValues"][0] - error <= low < high <= root["maxValues"][0] + error, f"{low}…{high}")
    across = abs(grids[0][0][:, -1] - grids[0][1][:, 0]).max()
    down = abs(grids[0][0][-1] - grids[1][0][0]).max()
    check(f"lerc: {name}: neighbours share their edges", max(across, down) <= 2 * error, f"{across}, {down}")
    with zipfile.ZipFile(export(url, str(level), folder)) as package:
        found = {}
        for entry in package.namelist():
            if not entry.endswith(".bundle"):
                continue
            first_row, first_column = (int(part, 16) for part in os.path.basename(entry)[1:-len(".bundle")].split("C"))
            data = package.read(entry)
            for slot in range(128 * 128):
                place, = struct.unpack_from("<Q", data, 64 + 8 * slot)
                if place >> 40:
                    offset = place & (1 << 40) - 1
                    found[first_row + slot // 128, first_column + slot % 128] = data[offset:offset + (place >> 40)]
        image = json.loads(package.read("root.json"))["tileImageInfo"]
    check(f"lerc: {name} exported: the same tiles", all(found.get((row + y, column + x)) == tiles[y][x] for y in (0, 1) for x in (0, 1)))
    check(f"lerc: {name} exported: said to be LERC", image["format"] == "LERC" and image["lercError"] == error, image)


def judge_tiles(url, kind, folder):
    root = ask(url)
    name = "/".join(url.split("/")[-2:])
    if root["tileInfo"]["format"].startswith("LERC"):
        return judge_elevation(url, root, name, folder)
    judge_picture("GDAL", name, translated, decoded, url + "?f=json&pretty=true", url, root, 16, folder)
    if kind == "MapServer" and root["exportTilesAllowed"]:
        package = export(url, "10-15", folder)
        judge_picture("rasterio", name + " exported", read_package, decoded_by_rasterio, package, url, root, 15, folder)


def main():
    missing = [tool for tool in ("ogr2ogr", "gdal_translate") if not shutil.which(tool)]
    if missing or EsriDumper is None:
        print("missing:", ", ".join(missing) or "esridump")
        return 2
    server = sys.argv[1].rstrip("/")
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    with tempfile.TemporaryDirectory() as folder:
        # GDAL puts its cache of tiles into the working folder.
        os.chdir(folder)
        for url, kind in services(server):
            if kind == "FeatureServer":
                root = ask(url)
                for layer in root["layers"] + root["tables"]:
                    judge_layer(f"{url}/{layer['id']}", folder)
            elif kind in ("MapServer", "ImageServer"):
                judge_tiles(url, kind, folder)
        os.chdir("/")
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
