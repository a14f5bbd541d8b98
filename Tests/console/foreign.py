"""A page of another origin in the same browser, which tries everything that pages can do."""

import http.server
import threading

PAGE = """<!doctype html><meta charset=utf-8><title>foreign</title>
<a id=link href="{url}/accounts/mei">link</a>
<form id=form method=post action="{url}/do/grant" target=sink>
<input name=token value="{token}"><input name=account value=mallory><input name=entitlement value=premium>
<input name=new-account value=true><input name=reason value=forged></form><iframe name=sink></iframe>
<script>
const url = '{url}', results = window.results = {{}};
const load = (name, element, more) => new Promise(done => {{
  element.onload = () => done(more ? more(element) : 'loaded');
  element.onerror = () => done('refused');
  document.body.append(Object.assign(element, name));
  setTimeout(() => done('silence'), 1500);
}});
const attempt = async (name, what) => {{ try {{ results[name] = String(await what()); }} catch {{ results[name] = 'refused'; }} }};
const read = async answer => 'read ' + (await answer).status;
const body = new URLSearchParams(new FormData(document.getElementById('form')));
window.finished = Promise.all([
  attempt('fetch', () => read(fetch(url + '/accounts/mei.json', {{credentials: 'include'}}))),
  attempt('fetch of the style', () => read(fetch(url + '/console.css'))),
  attempt('opaque fetch', async () => (await fetch(url + '/', {{credentials: 'include', mode: 'no-cors'}})).type === 'opaque' ? 'nothing seen' : 'read'),
  attempt('opaque POST', async () => (await fetch(url + '/do/grant', {{method: 'POST', body, credentials: 'include', mode: 'no-cors'}})).type === 'opaque' ? 'nothing seen' : 'read'),
  attempt('POST', () => read(fetch(url + '/do/grant', {{method: 'POST', body, credentials: 'include'}}))),
  attempt('PUT', () => read(fetch(url + '/do/grant', {{method: 'PUT', body, credentials: 'include'}}))),
  attempt('beacon', () => navigator.sendBeacon(url + '/do/grant', body) && 'nothing seen'),
  attempt('image', () => load({{src: url + '/accounts/mei/timeline.svg'}}, new Image())),
  attempt('script', () => load({{src: url + '/console.js'}}, document.createElement('script'))),
  attempt('JSON as script', () => load({{src: url + '/accounts/mei.json'}}, document.createElement('script'))),
  attempt('style', () => load({{rel: 'stylesheet', href: url + '/console.css'}}, document.createElement('link'))),
  attempt('frame', () => load({{src: url + '/'}}, document.createElement('iframe'), frame => {{
    try {{ return frame.contentDocument ? 'nothing seen' : 'refused'; }} catch {{ return 'refused'; }} }})),
  attempt('object', () => load({{data: url + '/', type: 'text/html'}}, document.createElement('object'))),
  attempt('socket', () => new Promise((done, fail) => {{ const s = new WebSocket(url.replace('http', 'ws') + '/'); s.onopen = done; s.onerror = fail; }})),
  attempt('events', () => new Promise((done, fail) => {{ const s = new EventSource(url + '/', {{withCredentials: true}}); s.onopen = () => done('read'); s.onerror = fail; }})),
  attempt('form', async () => {{ document.getElementById('form').submit(); await new Promise(done => setTimeout(done, 800)); return 'nothing seen'; }}),
]).then(() => results.all = 'done');
</script>"""


class Site(http.server.ThreadingHTTPServer):
    """Another origin, on a port of its own."""

    def __init__(self, console):
        page = PAGE.format(url=console.url, token=console.token).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            """The one page."""

            def do_GET(self):  # noqa: N802  the name that the library calls
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *values):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def run(check, service, browser, console):
    head = service.head
    site = Site(console)
    try:
        # The first is the same site, to which the cookie goes along; the second is another.
        for host in ("127.0.0.1", "localhost"):
            browser.open(f"http://{host}:{site.server_port}/")
            browser.wait("return window.results && window.results.all")
            results = browser.run("return window.results")
            results.pop("all")
            for name, result in results.items():
                check(result in ("refused", "nothing seen", "silence"), f"a page of {host}: {name} gets nothing", result)
            check(service.head == head, f"a page of {host} does nothing")
            browser.run("document.getElementById('link').click()")
            browser.wait("return location.port == arguments[0]".replace("arguments[0]", str(console.port)))
            check("presented" not in browser.text and "Another site" in browser.text,
                  f"a link of {host} leads to no page", browser.text[:200])
    finally:
        site.shutdown()
        site.server_close()
    browser.open(f"http://rebound.example:{console.port}/")
    check("What waits" not in browser.text, "a name that leads to this machine gets no page", browser.text[:200])
    browser.open(console.url + "/")
    check("What waits" in browser.text, "the session goes on", browser.text[:200])
