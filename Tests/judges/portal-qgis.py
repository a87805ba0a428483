#!/usr/bin/env python3
"""QGIS reads a running demo portal, and what offline-batch made of it.

    portal-qgis.py SERVER [AREA_FOLDER]      SERVER is `server` of the ready file; AREA_FOLDER the `current` of a published area

Every layer and table of the water network by QGIS's ArcGIS provider: rows as the service counts, places around Naperville. Map and image
services, their tiles and vector tiles are drawn without a screen: the picture must hold more than its background. Of an area's folder the replica's
tables are counted through OGR (no open reader decodes its shapes), tile packages and vector tile packages are opened where this QGIS can: .tpkx from
GDAL 3.8 on, .vtpk from QGIS 3.32 on. Older ones say so.

Prints a line a check; exits with 1 when one failed. Not part of `make test`: QGIS is large (`make judge-qgis`). Needs Debian's python3-qgis and its own
Python: /usr/bin/python3.
"""
import json
import os
import sys
import urllib.parse
import urllib.request

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from osgeo import gdal  # noqa: E402
from qgis.core import (  # noqa: E402
    Qgis, QgsApplication, QgsCoordinateReferenceSystem, QgsMapRendererParallelJob, QgsMapSettings, QgsRasterLayer, QgsRectangle, QgsVectorLayer,
    QgsVectorTileLayer)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402

server = sys.argv[1].rstrip("/")
services = server + "/rest/services/"
# The middle of the town, in Web Mercator.
VIEW = QgsRectangle(-9813400, 5125900, -9812200, 5127200)
NAPERVILLE = QgsRectangle(-9826000, 5107000, -9804000, 5136000)
checks = failures = 0


def check(name, condition, detail=""):
    global checks, failures
    checks += 1
    failures += not condition
    print(("ok      " if condition else "FAILED  ") + name + (f": {str(detail)[:400]}" if detail and not condition else ""), flush=True)
    return condition


def ask(url, **parameters):
    with urllib.request.urlopen(url + "?" + urllib.parse.urlencode({"f": "json", **parameters}), timeout=60) as answer:
        return json.load(answer)


def colours(layer):
    """How many colours a drawing of the layer has beside its background."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(VIEW)
    settings.setOutputSize(QSize(400, 400))
    settings.setBackgroundColor(QColor("#ff00ff"))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    found = {image.pixel(x, y) for x in range(0, 400, 4) for y in range(0, 400, 4)}
    found.discard(QColor("#ff00ff").rgb())
    return len(found)


def features():
    root = ask(services + "Water_Network/FeatureServer")
    for layer in root["layers"] + root["tables"]:
        url = f"{services}Water_Network/FeatureServer/{layer['id']}"
        expected = ask(url + "/query", where="1=1", returnCountOnly="true")["count"]
        read = QgsVectorLayer(f"crs='EPSG:3857' url='{url}'", layer["name"], "arcgisfeatureserver")
        if layer in root["tables"] and not read.isValid():
            print(f"        {layer['name']}: this QGIS ({Qgis.QGIS_VERSION}) reads no tables", flush=True)
            continue
        if not check(f"{layer['name']}: the ArcGIS provider opens it", read.isValid()):
            continue
        rows = list(read.getFeatures())
        check(f"{layer['name']}: {expected} rows", len(rows) == expected, len(rows))
        check(f"{layer['name']}: with its fields", len(read.fields()) == len(ask(url)["fields"]))
        if read.isSpatial():
            places = [f.geometry().boundingBox() for f in rows if f.hasGeometry()]
            check(f"{layer['name']}: around Naperville", len(places) > 0 and all(NAPERVILLE.contains(p) for p in places))


def pictures():
    for name in ("World_Street_Map/MapServer", "Town_Imagery/MapServer", "Town_Imagery/ImageServer"):
        layer = "" if name.endswith("ImageServer") else "0"
        read = QgsRasterLayer(f"crs='EPSG:3857' format='PNG32' layer='{layer}' url='{services}{name}'", name, "arcgismapserver")
        if check(f"{name}: the ArcGIS provider opens it", read.isValid()):
            found = colours(read)
            check(f"{name}: is drawn", found > 3, f"{found} colours")
    # Its tiles by their addresses, as any web map draws them.
    tiles = urllib.parse.quote(services + "World_Street_Map/MapServer/tile/{z}/{y}/{x}", safe="")
    read = QgsRasterLayer(f"type=xyz&url={tiles}&zmin=0&zmax=19", "tiles", "wms")
    check("World_Street_Map: its tiles are drawn", read.isValid() and colours(read) > 3)
    style = urllib.parse.quote(services + "Street_Map/VectorTileServer", safe="")
    read = QgsVectorTileLayer(f"serviceType=arcgis&type=xyz&url={style}&zmin=0&zmax=16", "vector")
    if check("Street_Map: its vector tiles are opened", read.isValid()):
        if hasattr(read, "loadDefaultStyle"):
            read.loadDefaultStyle()
        found = colours(read)
        check("Street_Map: its vector tiles are drawn", found > 3, f"{found} colours")


def folder(path):
    data = os.path.join(path, "p13")
    inventory = json.load(open(os.path.join(path, "inventory.json"), encoding="utf-8"))
    for source in inventory["sources"]:
        file = os.path.join(path, source.get("path") or "")
        if source["kind"] == "replica":
            for label, rows in source["counts"].items():
                table = label.split(" ", 1)[-1].replace(" ", "_")
                read = QgsVectorLayer(f"{file}|layername={table}", table, "ogr")
                if read.isValid() and rows is not None:
                    found = sum(1 for _ in read.getFeatures())
                    check(f"{os.path.basename(file)}: {table} has {rows} rows", found == rows, found)
        elif file.endswith(".tpkx"):
            if int(gdal.VersionInfo()) < 3080000:
                print(f"        {os.path.basename(file)}: this GDAL ({gdal.VersionInfo('RELEASE_NAME')}) reads no .tpkx", flush=True)
                continue
            read = QgsRasterLayer(file, "package")
            check(f"{os.path.basename(file)}: is opened and drawn", read.isValid() and colours(read) > 3)
        elif file.endswith(".vtpk"):
            if Qgis.QGIS_VERSION_INT < 33200:
                print(f"        {os.path.basename(file)}: this QGIS ({Qgis.QGIS_VERSION}) reads no .vtpk", flush=True)
                continue
            read = QgsVectorTileLayer("type=vtpk&url=" + file, "package")
            check(f"{os.path.basename(file)}: is opened and drawn", read.isValid() and read.loadDefaultStyle() and colours(read) > 3)
    check("the folder has the data that its inventory names", all(
        os.path.exists(os.path.join(path, s["path"])) for s in inventory["sources"] if s.get("path")), os.listdir(data))


application = QgsApplication([], False)
application.initQgis()
print("QGIS", Qgis.QGIS_VERSION, "GDAL", gdal.VersionInfo("RELEASE_NAME"), flush=True)
features()
pictures()
if len(sys.argv) > 2:
    folder(sys.argv[2])
print(f"{checks - failures} passed, {failures} failed", flush=True)
# Not exitQgis(): it takes down what Python still holds.
os._exit(1 if failures else 0)
