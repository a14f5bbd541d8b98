"""Every page that links lead to: read as HTML, measured, and compared."""

import collections
import html.parser
import re
import time
import urllib.parse

LARGEST = 60_000
VOID = {"meta", "link", "input", "br", "img", "hr", "col"}
# But for tabs and the ends of lines.
HIDDEN = {*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0xAD, 0x61C, *range(0x200B, 0x2010),
          *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF}
NAMED = {"accounts", "orders", "transactions", "apple-ids", "grants", "blocks", "claims", "refunds"}


class Page(html.parser.HTMLParser):
    """What a page is made of, and what is wrong with it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.links, self.mistakes, self.words = [], [], [], ""
        self.open, self.ids, self.labels, self.fields = [], [], set(), []
        self.feed(text)
        self.close()
        twice = [name for name, count in collections.Counter(self.ids).items() if count > 1]
        for what, names in (("not closed", self.open), ("an id twice", twice),
                            ("no label", sorted(set(self.fields) - self.labels))):
            self.mistakes += [f"{what}: {name}" for name in names]

    def handle_starttag(self, name, attributes):
        given = dict(attributes)
        self.elements.append((name, tuple(key for key, _ in attributes)))
        if len(given) != len(attributes) or any(key.startswith("on") for key in given):
            self.mistakes.append(f"<{name}> has {attributes}")
        self.links += [(name, key, given[key]) for key in ("href", "src", "action") if key in given]
        self.ids += [given["id"]] if "id" in given else []
        self.labels |= {given["for"]} if "for" in given else set()
        if name in ("input", "select", "textarea") and given.get("type") != "hidden":
            if "label" not in self.open and "aria-label" not in given:
                self.fields.append(given.get("id", name))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        if self.open[-1:] == [name]:
            self.open.pop()
        else:
            self.mistakes.append(f"</{name}> closes {self.open[-1:]}")

    def handle_data(self, data):
        self.words += "" if self.open[-1:] == ["textarea"] else data

    @property
    def hidden(self):
        """Characters that nobody sees, or that turn others round."""
        return {f"U+{ord(letter):04X}" for letter in self.words if ord(letter) in HIDDEN}


def alert(answer):
    """What a page says that went wrong."""
    found = re.search(r'(?:role|class)="alert"[^>]*>(.*?)</(div|p)>', answer.text, re.DOTALL)
    return found[1] if found else ""


def kind(target):
    """The address without what names stand for."""
    path = urllib.parse.urlparse(target).path.split("/")[1:]
    if path[0] in NAMED and len(path) > 1:
        path[1] = "*.json" if path[1].endswith(".json") else "*"
        path[3:] = ["*"] * len(path[3:])
    return "/" + "/".join(path)


def judge(check, target, answer):
    """Whether a page is sound, and where it leads."""
    check(answer.status in (200, 303) and not alert(answer), f"{target} is a page",
          f"{answer.status} {alert(answer)}")
    check(len(answer.body) <= LARGEST, f"{target} is small enough", len(answer.body))
    if answer.status == 303:
        return [answer.field("location")]
    if not (answer.field("content-type") or "").startswith("text/html"):
        return []
    page = Page(answer.text)
    check(not page.mistakes, f"{target} is sound HTML", page.mistakes[:5])
    styled = [element for element in page.elements if "style" in element[1]]
    check(not styled or target == "/policy/tables", f"{target} has no style of its own", styled)
    outside = [link for _, _, link in page.links if not re.match(r"/(?!/)|#", link)]
    check(not outside, f"{target} leads nowhere else", outside)
    return [link for name, _, link in page.links if name != "form"]


def crawl(check, service, console):
    """Follows every link: each page is sound, and nothing is done.

    Returns an address of each kind of page."""
    head, kinds, slowest, largest = service.head, {}, (0, ""), (0, "")
    waiting = collections.deque(["/", "/evidence", "/drift", "/undelivered", "/find?q=nobody"])
    known = set(waiting)
    while waiting:
        target = waiting.popleft()
        began = time.monotonic()
        answer = console.get(target)
        slowest = max(slowest, (time.monotonic() - began, target))
        largest = max(largest, (len(answer.body), target))
        if kind(target) not in kinds:
            kinds[kind(target)] = target
            console.send("HEAD", target)
        found = [urllib.parse.urldefrag(link)[0] for link in judge(check, target, answer)]
        found += [link + ".json" for link in found if re.fullmatch("/accounts/[^/.?]*", link)]
        for link in found:
            if link and link not in known:
                known.add(link)
                waiting.append(link)
    check(service.head == head, f"{len(known)} pages asked for with GET and HEAD do nothing")
    print(f"console: {len(known)} pages of {len(kinds)} kinds; the slowest "
          f"{1_000 * slowest[0]:.0f} ms ({slowest[1]}), the largest {largest[0]} bytes "
          f"({largest[1]})", flush=True)
    return kinds
