"""Tells the App Store in a box what happens, and asks the back end what it made of it.

  try.py BOX_URL BACKEND_URL
"""

import json
import sys
from urllib.request import Request, urlopen

box, backend = sys.argv[1:]


def call(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, method=method), timeout=30) as answer:
        return json.load(answer)


def say(line):
    return call("POST", box + "/box/say", {"line": line})


def advance(period):
    return call("POST", box + "/box/clock", {"advance": period})["now"]


def show(what):
    member = call("GET", f"{backend}/members/{token}")["member"]
    print(f"{what}: {'member' if member else 'not a member'}")


say("alice buys gold as G token")
token = call("GET", box + "/box/purchases/G")["app_account_token"]
show("bought")
advance("32d")
show("renewed")
say("G loses its card")
advance("30d")
show("in grace")
advance("20d")
show("grace is over")
say("G gets a card")
show("paid again")
call("POST", box + "/box/failures", {"failure": "status", "status": 500, "code": 5000001,
                                     "path": "/inApps/v1/subscriptions", "times": 1})
say("G is refunded")
show("refunded while Apple's servers fail")
advance("2h")
show("an hour later Apple tries again")
