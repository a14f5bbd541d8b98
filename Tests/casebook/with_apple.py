"""Cases in which Apple is asked: the App Store in a box stands for it."""

import os
import time

from evidence import new_id
from lab import case
from running import Box

PRODUCTS = {
    "stars": {
        "id": "stars.50",
        "kind": "consumable",
        "price": "0.99 USD"
    },
    "summit": {
        "id": "summit.month",
        "kind": "auto-renewable",
        "group": "plans",
        "period": "1mo",
        "price": "7.99 USD"
    }
}


class Apple:
    """A box, and a service that asks it."""
    def __init__(self, lab, days_ago=0):
        folder = os.path.join(lab.folder, "box")
        start = time.gmtime(time.time() - 86_400 * days_ago)
        self.box = Box(lab.usher_path, folder, "--start", time.strftime("%Y-%m-%d", start))
        try:
            self.connect(lab, folder)
        except BaseException:
            self.close()
            raise

    def connect(self, lab, folder):
        settings = self.box.settings
        with open(f"{lab.policies}/policy.yaml", encoding="utf-8") as file:
            text = file.read()
        with open(f"{lab.policies}/policy.yaml", "w", encoding="utf-8") as file:
            file.write(
                text.replace("com.example.hikes, apple_id: 4711",
                             f"{settings['bundle_id']}, apple_id: {settings['app_apple_id']}"))
        lab.trust(f"{folder}/root.pem", f"{folder}/receipt-root.pem")
        secret = os.path.join(lab.folder, "secret")
        for path, content in ((secret, settings["shared_secret"]), (f"{folder}/AuthKey.p8", None)):
            if content:
                with open(path, "w", encoding="ascii") as file:
                    file.write(content)
            os.chmod(path, 0o600)
        lab.settings = os.path.join(lab.folder, "settings.yaml")
        url = self.box.url
        with open(lab.settings, "w", encoding="utf-8") as file:
            file.write(f"""ledger: {lab.ledger}
policies: {lab.policies}
sockets:
  folder: {lab.sockets}
app-store:
  issuer-id: {settings['issuer_id']}
  key-id: {settings['key_id']}
  key-file: {folder}/AuthKey.p8
  shared-secret-file: {secret}
  production-url: {url}/production
  sandbox-url: {url}/sandbox
  verify-receipt-production-url: {url}/production/verifyReceipt
  verify-receipt-sandbox-url: {url}/sandbox/verifyReceipt
""")
        self.box.expect("PUT", "/products", PRODUCTS)

    def close(self):
        self.box.process.terminate()
        self.box.process.wait()


@case
def who_came_first_while_apple_was_away(lab):
    """Two accounts hand in one receipt while Apple cannot be asked: who came first gets it."""
    apple = Apple(lab)
    try:
        apple.box.say("lena buys stars as P")
        number = apple.box.purchase("P")["transactions"][0]["transaction_id"]
        data = apple.box.expect("GET",
                                f"/receipt?apple_id=lena&transaction={number}")["receipt-data"]
        apple.box.fail("receipt-status", status=21005, path="verifyReceipt", times=3)
        for account in ("lena", "omar", "lena", "omar"):
            lab.present(account, data, verify="remote")
        for _ in range(300):
            if not lab.get("/v1/evidence").get("tickets"):
                break
            time.sleep(0.1)
        lab.equal("hers, once", (lab.stars("lena"), lab.stars("omar")), (50, 0))
        lab.equal("and nothing waits", lab.get("/v1/evidence").get("tickets"), [])
    finally:
        apple.close()


@case
def a_receipt_hides_the_refund(lab):
    """A receipt of last month knows nothing of a refund since: Apple is asked."""
    apple = Apple(lab, days_ago=20)
    try:
        apple.box.say("lena buys stars as P", "lena buys stars as Q")
        data = apple.box.expect("GET", "/receipt?apple_id=lena")["receipt-data"]
        apple.box.advance("5d")
        apple.box.say("P is refunded")
        apple.box.advance("15d")
        lab.present("lena", data)
        for _ in range(100):
            if lab.stars("lena") == 50 and not lab.get("/v1/evidence").get("tickets"):
                break
            time.sleep(0.1)
        lab.equal("only what was not refunded", lab.stars("lena"), 50)
    finally:
        apple.close()


@case
def order_number_of_apples_mail(lab):
    """The customer knows nothing but the order number of the store's mail."""
    apple = Apple(lab)
    try:
        apple.box.say("lena buys summit as S")
        bought = apple.box.purchase("S")
        lab.present("lena", bought["signedTransactionInfo"])
        order = bought["transactions"][0].get("order_id") or bought.get("order_id")
        lab.check("the box says the order number", order, str(bought))
        said = lab.usher("find", order or new_id())
        lab.check("find leads to the account, or says how", "lena" in said
                  or "app-store show order" in said, said)
    finally:
        apple.close()
