"""A page of another origin in the same browser, which tries everything that pages can do."""

import http.server
import threading

PAGE = """<!doctype html><meta charset=utf-8><title>foreign</title>
<a id=link href="@CONSOLE/accounts/mei">link</a>
<form id=form method=post action="@CONSOLE/do/grant" target=sink>
<input name=token value="@TOKEN"><input name=account value=mallory>
<input name=entitlement value=premium><input name=new-account value=true>
<input name=reason value=forged></form><iframe name=sink></iframe>
<script>
const url = '@CONSOLE', body = new URLSearchParams(new FormData(document.getElementById('form')));
const pause = time => new Promise(done => setTimeout(done, time));
const load = (tag, properties) => new Promise(done => {
  const element = document.createElement(tag);
  element.onload = () => done('loaded');
  element.onerror = () => done('refused');
  document.body.append(Object.assign(element, properties));
  pause(1500).then(() => done('silence'));
});
const read = async (path, options) =>
  'read ' + (await fetch(url + path, {credentials: 'include', ...options})).status;
const opaque = async (path, options) =>
  (await fetch(url + path, {credentials: 'include', mode: 'no-cors', ...options})).type;
const connect = make => new Promise((done, fail) => {
  const stream = make();
  stream.onopen = () => done('read');
  stream.onerror = fail;
});
const attempts = {
  fetch: () => read('/accounts/mei.json'), 'fetch of the style': () => read('/console.css'),
  POST: () => read('/do/grant', {method: 'POST', body}),
  PUT: () => read('/do/grant', {method: 'PUT', body}),
  'opaque fetch': () => opaque('/'),
  'opaque POST': () => opaque('/do/grant', {method: 'POST', body}),
  beacon: () => navigator.sendBeacon(url + '/do/grant', body) && 'opaque',
  image: () => load('img', {src: url + '/accounts/mei/timeline.svg'}),
  script: () => load('script', {src: url + '/console.js'}),
  'JSON as script': () => load('script', {src: url + '/accounts/mei.json'}),
  style: () => load('link', {rel: 'stylesheet', href: url + '/console.css'}),
  object: () => load('object', {data: url + '/', type: 'text/html'}),
  frame: async () => {
    // What is refused loads as a page of the browser's own, which tells nothing either.
    await load('iframe', {src: url + '/', name: 'framed'});
    return window.frames.framed.document.title;
  },
  socket: () => connect(() => new WebSocket(url.replace('http', 'ws') + '/')),
  events: () => connect(() => new EventSource(url + '/', {withCredentials: true})),
  form: async () => {
    document.getElementById('form').submit();
    await pause(800);
    return 'opaque';
  },
};
const results = {};
Promise.all(Object.keys(attempts).map(async name => {
  try { results[name] = String(await attempts[name]()); } catch { results[name] = 'refused'; }
})).then(() => window.results = results);
</script>"""


class Site(http.server.ThreadingHTTPServer):
    """Another origin, on a port of its own."""

    def __init__(self, console):
        page = PAGE.replace("@CONSOLE", console.url).replace("@TOKEN", console.token).encode()

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
    head, site = service.head, Site(console)
    try:
        # The first is the same site, to which the cookie goes along; the second is another.
        for host in ("127.0.0.1", "localhost"):
            browser.open(f"http://{host}:{site.server_port}/")
            browser.wait("return window.results")
            for name, result in browser.run("return window.results").items():
                check(result in ("refused", "opaque", "silence"),
                      f"a page of {host}: {name} gets nothing", result)
            check(service.head == head, f"a page of {host} does nothing")
            browser.run("document.getElementById('link').click()")
            browser.wait(f"return location.port === '{console.port}'")
            check("presented" not in browser.text and "Another site" in browser.text,
                  f"a link of {host} leads to no page", browser.text[:200])
    finally:
        site.shutdown()
        site.server_close()
    browser.open(f"http://rebound.example:{console.port}/")
    check("What waits" not in browser.text, "a name that leads to this machine gets no page")
    browser.open(console.url + "/")
    check("What waits" in browser.text, "the session goes on", browser.text[:200])
