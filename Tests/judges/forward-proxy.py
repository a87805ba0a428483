"""A forward proxy for tests, of the standard library alone: requests with absolute addresses, and CONNECT tunnels.

    forward-proxy.py --ready FILE --log FILE [--user NAME:PASSWORD]

It listens on a free port of 127.0.0.1, writes the number to FILE, and writes one line a request to the log: "GET http://host/path 200".
With --user everybody else gets 407. It ends with SIGTERM.
"""

import argparse
import base64
import http.client
import http.server
import os
import select
import signal
import socket
import sys
import threading
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--ready", required=True)
parser.add_argument("--log", required=True)
parser.add_argument("--user")
options = parser.parse_args()
expected = options.user and "Basic " + base64.b64encode(options.user.encode()).decode()
lock = threading.Lock()


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, status):
        with lock, open(options.log, "a", encoding="utf-8") as log:
            log.write(f"{self.command} {self.path.split('?')[0]} {status}\n")

    def stranger(self):
        if not expected or self.headers.get("Proxy-Authorization") == expected:
            return False
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.note(407)
        self.send_response(407)
        self.send_header("Proxy-Authenticate", 'Basic realm="tests"')
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def relay(self):
        if self.stranger():
            return
        place = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k: v for k, v in self.headers.items() if not k.lower().startswith("proxy-") and k.lower() != "connection"}
        upstream = http.client.HTTPConnection(place.hostname, place.port or 80)
        upstream.request(self.command, place.path + ("?" + place.query if place.query else ""), body or None, headers)
        answer = upstream.getresponse()
        content = answer.read()
        self.note(answer.status)
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length", "keep-alive"):
                self.send_header(name, value)
        self.send_header("Content-Length", answer.getheader("Content-Length") or str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        upstream.close()

    do_GET = do_POST = do_HEAD = relay

    def do_CONNECT(self):
        if self.stranger():
            return
        host, port = self.path.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as upstream:
            self.note(200)
            self.send_response_only(200)
            self.end_headers()
            ends = {self.connection: upstream, upstream: self.connection}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    piece = end.recv(65536)
                    if not piece:
                        self.close_connection = True
                        return
                    ends[end].sendall(piece)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
# A parent of many threads may hand its signal mask down.
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
open(options.log, "a", encoding="utf-8").close()
with open(options.ready + ".new", "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
os.rename(options.ready + ".new", options.ready)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
