"""Takes every POST and writes down what came: one JSON line a request. `/status/N…` answers N.

    http-sink.py READY-FILE LOG-FILE      ends on SIGTERM
"""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ready, log = sys.argv[1:]


class Sink(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        entry = {"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}, "body": body.decode()}
        with open(log, "a") as file:
            file.write(json.dumps(entry) + "\n")
        parts = self.path.split("/")
        status = int(parts[2]) if parts[1] == "status" else 200
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server = ThreadingHTTPServer(("127.0.0.1", 0), Sink)
with open(ready + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(ready + ".new", ready)
server.serve_forever()
