#!/usr/bin/python3
"""MIT Kerberos judges `webAuth: negotiate`: a realm of its own, a web server that asks for a ticket, the demo portal behind it.

    negotiate.py OFFLINE_BATCH DEMO_PORTAL      the two programs

The web server is a web adaptor in miniature: who shows a ticket that GSSAPI accepts is passed on to the portal as one of its users, everybody else gets
401. With a ticket `plan` must work; without one it must end with 77 and nothing may have reached the portal. Ends with 1 when a check failed. Not part of
`make test`: it needs a key distribution centre (`make judge-kerberos`), Debian's python3-gssapi and its own Python: /usr/bin/python3.
"""
import base64
import http.client
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import gssapi

offline_batch, demo_portal = map(os.path.abspath, sys.argv[1:3])
REALM = "JUDGE.TEST"
folder = tempfile.mkdtemp()
checks = failures = 0


def path(name):
    return os.path.join(folder, name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


def check(name, condition, detail=""):
    global checks, failures
    checks += 1
    failures += not condition
    print(("ok      " if condition else "FAILED  ") + name + (f": {str(detail)[:600]}" if detail and not condition else ""), flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def realm():
    """Database, principals, keys; the running centre."""
    port = free_port()
    write("krb5.conf", f"""
[libdefaults]
 default_realm = {REALM}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 default_ccache_name = FILE:{path('tickets')}
[realms]
 {REALM} = {{
  kdc = 127.0.0.1:{port}
 }}
[domain_realm]
 localhost = {REALM}
""")
    write("kdc.conf", f"""
[realms]
 {REALM} = {{
  database_name = {path('principal')}
  key_stash_file = {path('stash')}
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
 }}
[logging]
 kdc = FILE:{path('kdc.log')}
""")
    os.environ |= {"KRB5_CONFIG": path("krb5.conf"), "KRB5_KDC_PROFILE": path("kdc.conf"), "KRB5RCACHENAME": "none:"}

    def tool(*words):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: {done.stderr or done.stdout}")

    tool("/usr/sbin/kdb5_util", "create", "-s", "-P", "judge", "-r", REALM)
    for query in ("addprinc -randkey night", "addprinc -randkey HTTP/localhost",
                  f"ktadd -k {path('night.keytab')} night", f"ktadd -k {path('http.keytab')} HTTP/localhost"):
        tool("/usr/sbin/kadmin.local", "-r", REALM, "-q", query)
    centre = subprocess.Popen(["/usr/sbin/krb5kdc", "-n", "-r", REALM], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        got = subprocess.run(["kinit", "-kt", path("night.keytab"), "night"], capture_output=True, text=True)
        if got.returncode == 0:
            return centre
        time.sleep(0.1)
    sys.exit("no ticket from the centre: " + got.stderr)


def portal():
    write("users.yaml", 'users: [{name: night, password: "behind-the-adaptor"}]\n')
    program = subprocess.Popen(
        [demo_portal, "--port", "0", "--ready-file", path("ready.json"), "--journal", path("journal.ndjson"), "--users", path("users.yaml"), "--data", "hamlet"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if os.path.exists(path("ready.json")):
            with open(path("ready.json"), encoding="utf-8") as file:
                return program, json.load(file)
        time.sleep(0.05)
    sys.exit("the demo portal does not start")


def token(place):
    form = {"username": "night", "password": "behind-the-adaptor", "client": "requestip", "f": "json"}
    with urllib.request.urlopen(place["portal"] + "/sharing/rest/generateToken", urllib.parse.urlencode(form).encode()) as answer:
        return json.load(answer)["token"]


def adaptor(place, secret):
    keys = gssapi.Credentials(usage="accept", store={"keytab": path("http.keytab")})
    callers = []

    class Adaptor(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Tickets sign a connection in, as web servers and curl have it.
        caller = None

        def log_message(self, *_):
            pass

        def send(self, status, headers, body):
            self.send_response_only(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def relay(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            proof = self.headers.get("Authorization", "")
            if self.caller is None and proof.startswith("Negotiate "):
                context = gssapi.SecurityContext(creds=keys, usage="accept")
                context.step(base64.b64decode(proof[10:]))
                self.caller = str(context.initiator_name) if context.complete else None
            if self.caller is None:
                return self.send(401, [("WWW-Authenticate", "Negotiate")], b"")
            callers.append(self.caller)
            upstream = http.client.HTTPConnection("127.0.0.1", place["port"])
            headers = {k: v for k, v in self.headers.items() if k.lower() not in ("authorization", "host", "connection")}
            headers["X-Esri-Authorization"] = "Bearer " + secret
            upstream.request(self.command, self.path, body or None, headers)
            answer = upstream.getresponse()
            content = answer.read()
            kept = [h for h in answer.getheaders() if h[0].lower() not in ("connection", "transfer-encoding", "content-length", "keep-alive")]
            self.send(answer.status, kept, content)

        do_GET = do_POST = relay

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Adaptor)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port, callers


def plan(port, **variables):
    write("manifest.yaml", f"""version: 1
name: water
portal: {{ url: "http://localhost:{port}/portal", webAuth: negotiate }}
webMap: acc027394bc84c2fb04d1ed317aac674
areas: [{{ id: a, envelope: {{ xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 }} }}]
scale: {{ min: 40000, max: 8000 }}
limits: {{ attempts: 1 }}
""")
    return subprocess.run(
        [offline_batch, "plan", "--no-counts", "manifest.yaml"], cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | variables)


started = []
try:
    started.append(realm())
    program, place = portal()
    started.append(program)
    port, callers = adaptor(place, token(place))
    without = plan(port, KRB5CCNAME="FILE:" + path("no-tickets"))
    check("without a ticket the plan ends with 77", without.returncode == 77, f"{without.returncode}: {without.stderr}")
    check("and nothing reached the portal", not callers, callers)
    ticket = plan(port)
    check("with a ticket there is a plan", ticket.returncode == 0, f"{ticket.returncode}: {ticket.stderr}")
    check("the ticket was that of night", set(callers) == {f"night@{REALM}"}, set(callers))
    with open(path("journal.ndjson"), encoding="utf-8") as file:
        direct = [json.loads(line) for line in file]
    check("no ticket went to the services, which are elsewhere", not any("authorization" in r["headers"] for r in direct if r["path"].startswith("/server")))
finally:
    for process in started:
        process.terminate()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
print(f"{checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
