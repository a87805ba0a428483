#!/usr/bin/env python3
"""Esri's own client reads a running demo portal: the ArcGIS API for Python (`arcgis` in PyPI).

    arcgis-api.py PORTAL SERVER     as the portal's ready file names them

It signs in anonymously, finds the web map, queries layers in every way that it has, makes replicas of both sync models and unregisters them, and
exports tiles and vector tiles. It speaks https only, whatever it is told: the portal needs `--tls-cert`. Prints a line a check; exits with 1 when one
failed. Not part of `make test`: the package brings half a gigabyte with it (`make judge-arcgis`).
"""
import argparse
import json
import os
import sqlite3
import sys
import tempfile
import warnings
import zipfile

warnings.simplefilter("ignore")
parser = argparse.ArgumentParser()
parser.add_argument("portal")
parser.add_argument("server")
options = parser.parse_args()

from arcgis.features import FeatureLayerCollection  # noqa: E402
from arcgis.gis import GIS  # noqa: E402
from arcgis.layers import MapImageLayer, VectorTileLayer  # noqa: E402

AREA = {"geometry": "-88.16,41.765,-88.14,41.78", "geometryType": "esriGeometryEnvelope", "inSR": 4326}
# Left to itself the client asks for all rows of every layer.
FILTERED = {"0": {"queryOption": "useFilter", "useGeometry": True}, "5": {"queryOption": "none", "includeRelated": True}}
EXTENT = {"xmin": -9812500, "ymin": 5126000, "xmax": -9812000, "ymax": 5126500, "spatialReference": {"wkid": 102100}}
checks = failures = 0


def check(name, condition, detail=""):
    global checks, failures
    checks += 1
    failures += not condition
    print(("ok      " if condition else "FAILED  ") + name + (f": {str(detail)[:500]}" if detail and not condition else ""), flush=True)


def attempt(name, work):
    """What a client cannot read is a failed check, not the end."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001
        check(name, False, f"{type(error).__name__}: {error}")
        return None


def rows(path, table):
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    return database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]


def portal(gis):
    check("the portal names itself", gis.properties.name == "Naperville Demo GIS", gis.properties)
    item = gis.content.get("acc027394bc84c2fb04d1ed317aac674")
    check("the web map is found by its id", item is not None and item.type == "Web Map", item)
    check("its data is a web map", len(item.get_data()["operationalLayers"]) > 0)
    found = gis.content.search("type:\"Feature Service\"", max_items=5)
    check("the search gives feature services", all(i.type == "Feature Service" for i in found), found)


def queries(service):
    hydrants = service.layers[0]
    count = hydrants.query(return_count_only=True)
    features = hydrants.query().features
    check(f"{hydrants.properties.name}: {count} rows, as counted", len(features) == count > 0, len(features))
    check("ids: one a row", len(hydrants.query(return_ids_only=True)["objectIds"]) == count)
    strong = hydrants.query(where="FLOW >= 500", out_fields="FLOW").features
    check("a where clause holds", 0 < len(strong) < count and all(f.attributes["FLOW"] >= 500 for f in strong))
    near = hydrants.query(geometry_filter=AREA, return_count_only=True)
    check("an area holds", 0 < near < count, near)
    extent = hydrants.query(return_extent_only=True)["extent"]
    check("the extent is around Naperville", -9826000 < extent["xmin"] < extent["xmax"] < -9804000, extent)
    owner = hydrants.attachments.get_list(1)
    check("attachments are listed", len(owner) > 0 and owner[0]["size"] > 0, owner)
    groups = hydrants.query_related_records("1,2,3,4,5,6,7,8", "0")["relatedRecordGroups"]
    check("related records are found", sum(len(g["relatedRecords"]) for g in groups) > 0, groups)
    return near


def replicas(service, near, folder):
    for model in ("perLayer", "perReplica"):
        answer = service.replicas.create(
            replica_name="judge", layers=[0, 5], layer_queries=FILTERED, geometry_filter=AREA, sync_model=model, data_format="sqlite", asynchronous=True,
            return_attachments=True, attachments_sync_direction="bidirectional", out_path=folder, wait=True)
        path = answer.get("download_url")
        check(f"{model}: a geodatabase arrives", isinstance(path, str) and os.path.exists(path), answer)
        if isinstance(path, str) and os.path.exists(path):
            found = rows(path, "Hydrant_evw")
            check(f"{model}: {found} rows, as the area has", found == near, near)
            os.remove(path)
        mine = service.replicas.get_list()
        check(f"{model}: the server lists it", len(mine) == 1, mine)
        for replica in mine:
            check(f"{model}: it is unregistered", service.replicas.unregister(replica["replicaID"]))
        check(f"{model}: and is gone", service.replicas.get_list() == [])


def tiles(gis):
    # To the end the client goes with hosted services only: of a server's result it takes the directory's page for JSON.
    streets = MapImageLayer(options.server + "/rest/services/World_Street_Map/MapServer", gis)
    job = streets.export_tiles("12,13,14", tile_package=True, export_extent=json.dumps(EXTENT), asynchronous=True)
    check("exportTiles is accepted", bool(job.get("jobId")), job)
    vectors = VectorTileLayer(options.server + "/rest/services/Street_Map/VectorTileServer", gis)
    check("the style of the vector tiles is read", len(vectors.styles["layers"]) > 0)
    result = vectors.export_tiles(levels="0-12", export_extent=EXTENT)
    path = result[0] if isinstance(result, list) and result else result
    check("a vector tile package arrives", isinstance(path, str) and os.path.exists(path), result)
    if isinstance(path, str) and os.path.exists(path):
        names = zipfile.ZipFile(path).namelist()
        check("with bundles and styles", any(n.endswith(".bundle") for n in names) and "p12/root.json" in names, names[:10])


gis = attempt("an anonymous GIS", lambda: GIS(options.portal, verify_cert=False))
if gis is not None:
    attempt("the portal", lambda: portal(gis))
    service = attempt("the feature service", lambda: FeatureLayerCollection(options.server + "/rest/services/Water_Network/FeatureServer", gis))
    near = attempt("queries", lambda: queries(service))
    with tempfile.TemporaryDirectory() as place:
        attempt("replicas", lambda: replicas(service, near, place))
    attempt("tiles", lambda: tiles(gis))
print(f"{checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
