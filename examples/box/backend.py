"""A back end that sells a subscription, small enough to read at once.

  backend.py PORT BOX_URL FOLDER     FOLDER is what `usher simulate serve --out FOLDER` wrote

POST /apple takes App Store Server Notifications. GET /members/TOKEN says whether the account with
that appAccountToken is subscribed. In production, leave out the line that sets the address and give
the verifier Apple's root.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

port, box, folder = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
app = json.loads((folder / "settings.json").read_text())
client = AppStoreServerAPIClient(
    (folder / "AuthKey.p8").read_bytes(), app["key_id"], app["issuer_id"], app["bundle_id"],
    Environment.PRODUCTION)
client._base_url = box + app["production_path"]
root = x509.load_pem_x509_certificate((folder / "root.pem").read_bytes())
verifier = SignedDataVerifier(
    [root.public_bytes(Encoding.DER)], False, Environment.PRODUCTION, app["bundle_id"],
    app["app_apple_id"])
lines = {}  # account token -> original transaction id
status = {}  # original transaction id -> Apple's status: 1 and 4 give access


class Backend(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            news = verifier.verify_and_decode_notification(body["signedPayload"])
            if news.data and news.data.signedTransactionInfo:
                self.learn(verifier.verify_and_decode_signed_transaction(
                    news.data.signedTransactionInfo))
            self.answer(200, {})
        except VerificationException:
            self.answer(400, {"error": "not signed by the store"})
        except APIException as error:  # Apple sends the notification again later
            self.answer(503, {"error": error.raw_api_error})

    def learn(self, transaction):
        """Asks for the state now: notifications arrive late, twice and in any order."""
        line = transaction.originalTransactionId
        lines[transaction.appAccountToken] = line
        for group in client.get_all_subscription_statuses(line).data:
            for item in group.lastTransactions:
                status[item.originalTransactionId] = item.rawStatus

    def do_GET(self):
        line = lines.get(self.path.removeprefix("/members/"))
        self.answer(200, {"member": status.get(line) in (1, 4)})

    def answer(self, code, body):
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", port), Backend).serve_forever()
