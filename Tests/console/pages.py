"""Every page that links lead to: read as HTML, counted, and compared."""

import collections
import html.parser
import re
import time
import urllib.parse

LARGEST = 60_000
VOID = {"meta", "link", "input", "br", "img", "hr", "col"}
HIDDEN = [*range(0x00, 0x09), *range(0x0B, 0x20), 0x7F, *range(0x80, 0xA0), 0xAD, 0x61C,
          *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]


class Page(html.parser.HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.mistakes = [], [], []
        self.links, self.ids, self.words, self.labelled = [], [], "", set()
        self.fields = []
        self.feed(text)
        self.close()
        self.mistakes += [f"<{name}> is not closed" for name in self.open if name != "p"]
        self.mistakes += [f"id {name} twice" for name, count in collections.Counter(self.ids).items()
                          if count > 1]
        self.mistakes += [f"field {name} without a label" for name in self.fields
                          if name not in self.labelled]

    def handle_starttag(self, name, attributes):
        given = dict(attributes)
        self.elements.append((name, tuple(key for key, _ in attributes)))
        if len(given) != len(attributes):
            self.mistakes.append(f"<{name}> has an attribute twice")
        if any(key.startswith("on") for key in given):
            self.mistakes.append(f"<{name}> has {list(given)}")
        self.links += [(name, key, given[key]) for key in ("href", "src", "action") if key in given]
        self.ids += [given["id"]] if "id" in given else []
        if name == "label" and "for" in given:
            self.labelled.add(given["for"])
        if name in ("input", "select", "textarea") and given.get("type") != "hidden":
            inside = "label" in self.open or "aria-label" in given
            self.fields += [] if inside else [given.get("id", "without an id")]
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.handle_starttag(name, attributes)
        if name not in VOID:
            self.open.pop()

    def handle_endtag(self, name):
        if self.open and self.open[-1] == name:
            self.open.pop()
        else:
            self.mistakes.append(f"</{name}> closes {self.open[-1:]}")

    def handle_data(self, data):
        if self.open[-1:] != ["textarea"]:
            self.words += data

    @property
    def hidden(self):
        """Characters that nobody sees, or that turn others round."""
        return {f"U+{ord(letter):04X}" for letter in self.words if ord(letter) in HIDDEN}


def crawl(check, service, console, *starts):
    """Follows every link and every form that asks; each page is sound, and nothing is done.

    Returns the addresses of what was found, by kind of page."""
    head = service.head
    kinds, slowest, largest = {}, (0, ""), (0, "")
    waiting, known = collections.deque(["/", *starts]), {"/", *starts}
    while waiting:
        target = waiting.popleft()
        began = time.monotonic()
        answer = console.get(target)
        slowest = max(slowest, (time.monotonic() - began, target))
        check(answer.status in (200, 303) and not alert(answer), f"{target} is a page", f"{answer.status} {alert(answer)}")
        largest = max(largest, (len(answer.body), target))
        check(len(answer.body) <= LARGEST, f"{target} has at most {LARGEST} bytes", len(answer.body))
        if kind(target) not in kinds:
            console.send("HEAD", target)
            kinds[kind(target)] = target
        found = [answer.field("location")] if answer.status == 303 else []
        if (answer.field("content-type") or "").startswith("text/html"):
            page = Page(answer.text)
            styled = [element for element in page.elements if "style" in element[1]]
            check(not styled or target == "/policy/tables", f"{target} has no style of its own", styled)
            check(not page.mistakes, f"{target} is sound HTML", page.mistakes[:5])
            outside = [link for _, _, link in page.links if not link.startswith(("/", "#"))
                       or link.startswith("//")]
            check(not outside, f"{target} leads nowhere else", outside)
            found += [link for name, _, link in page.links if name != "form"]
        for link in found:
            link = urllib.parse.urldefrag(link)[0]
            if link and link not in known:
                known.add(link)
                waiting.append(link)
                if link.startswith("/accounts/") and "?" not in link and link.count("/") == 2:
                    known.add(link + ".json")
                    waiting.append(link + ".json")
    check(service.head == head, f"{len(known)} pages asked for with GET and HEAD do nothing")
    print(f"console: {len(known)} pages of {len(kinds)} kinds; the slowest {1_000 * slowest[0]:.0f} ms "
          f"({slowest[1]}), the largest {largest[0]} bytes ({largest[1]})", flush=True)
    return kinds


def alert(answer):
    """What a page says that went wrong."""
    found = re.search(r'(?:role|class)="alert"[^>]*>(.*?)</(div|p)>', answer.text, re.DOTALL)
    return found[1] if found else ""


def kind(target):
    """What names stand for is left out."""
    path = urllib.parse.urlparse(target).path.split("/")[1:]
    if path[0] in ("accounts", "orders", "transactions", "apple-ids", "grants", "blocks", "claims",
                   "refunds") and len(path) > 1:
        path[1] = "*.json" if path[1].endswith(".json") else "*"
        path[3:] = ["*"] * len(path[3:])
    return "/" + "/".join(path)
