"""nginx and haproxy before the real program. See scripts/check-proxies."""

import collections
import concurrent.futures
import http.client
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import Shop, stop  # noqa: E402

CLIENTS, QUESTIONS = 200, 5
QUESTION = b"""{"subject":{"type":"account","id":"alice"},"action":{"name":"use"},
"resource":{"type":"entitlement","id":"premium"}}"""


# As nginx asks unless it is told otherwise: with HTTP/1.0, a connection for each question.
PLAIN_NGINX = """server {
    listen 127.0.0.1:18080;
    location / { proxy_pass http://unix:/run/usher/query.sock; }
}
"""


def configurations(repository, sockets, name):
    """The examples, for one of the sockets: nginx's and haproxy's."""
    texts = []
    for example in ("nginx/usher.conf", "haproxy/usher.cfg"):
        with open(os.path.join(repository, "examples", example), encoding="utf-8") as file:
            texts.append(file.read())
    return [text.replace("/run/usher/query.sock", f"{sockets}/{name}")
            for text in (PLAIN_NGINX + texts[0], texts[1])]


def start_nginx(folder, servers):
    path = os.path.join(folder, "nginx.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 2048; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{servers} }}""")
    return subprocess.Popen(["nginx", "-c", path, "-e", f"{folder}/nginx.log"])


def start_haproxy(folder, sections):
    path = os.path.join(folder, "haproxy.cfg")
    with open(path, "w", encoding="utf-8") as file:
        file.write("global\n    maxconn 4000\n" + sections)
    return subprocess.Popen(["haproxy", "-db", "-f", path], stderr=subprocess.DEVNULL)


def ask(port):
    """One client: each question on the connection of the one before, where that is kept."""
    found = []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for turn in range(QUESTIONS):
        try:
            if turn % 2:
                connection.request("GET", "/v1/accounts/alice/entitlements")
            else:
                connection.request("POST", "/access/v1/evaluation", QUESTION,
                                   {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            found.append(response.status)
        except (OSError, http.client.HTTPException) as error:
            found.append(repr(error))
            connection.close()
    connection.close()
    return found


def wait(port):
    for _ in range(500):
        if 200 in ask(port):
            return
        time.sleep(0.02)
    raise RuntimeError(f"nobody answers on port {port}")


def main():
    usher, repository = sys.argv[1:]
    failed = False
    with tempfile.TemporaryDirectory(prefix="usher-proxies.") as folder:
        shop = Shop(usher, repository, folder)
        service = shop.start()
        for name in ("query.sock", "usher.sock"):
            servers, sections = configurations(repository, shop.sockets, name)
            proxies = [start_nginx(folder, servers), start_haproxy(folder, sections)]
            try:
                for what, port in (("nginx, HTTP/1.0", 18080), ("nginx, HTTP/1.1", 18081),
                                   ("haproxy", 18082)):
                    wait(port)
                    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
                        answers = collections.Counter(
                            status for found in pool.map(ask, [port] * CLIENTS)
                            for status in found)
                    print(f"{what} before {name}: {dict(answers)}", flush=True)
                    failed |= answers != {200: CLIENTS * QUESTIONS}
            finally:
                for proxy in proxies:
                    proxy.terminate()
                    proxy.wait()
        failed |= stop(service) != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
