"""What two programs answer to the same questions; see scripts/compare-answers.

    compare.py OLD NEW REPOSITORY [--only TEXT] [--jobs N] [--differences N]
"""

import argparse
import collections
import concurrent.futures
import datetime
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

import scenarios  # noqa: E402
from shop import LocalConnection, stop  # noqa: E402
from store import Store  # noqa: E402

# Members whose text is a sentence for people.
SENTENCES = {"detail", "title", "message"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class Story:
    """The fixtures of the demonstration, which have a policy and evidence already."""

    def __init__(self, repository):
        self.name = "the demonstration"
        self.policies, self.actions, self.imports = [{}], [], [(0, [])]
        for name in sorted(os.listdir(f"{repository}/demo")):
            with open(f"{repository}/demo/{name}", encoding="utf-8") as file:
                self.policies[0][name] = file.read()
        evidence = f"{repository}/fixtures/evidence/"
        with open(evidence + "purchases.jsonl", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.imports[0][1].extend(
            line | {"file": evidence + line["file"], "recorded_at": "2026-11-01T00:00:00Z"}
            for line in lines)
        self.accounts = {line["account"] for line in lines if "account" in line} | {"mallory"}
        self.instants = [f"2026-{month:02}-20T00:00:00.000Z" for month in range(1, 13)]
        catalog = self.policies[0]["catalog.yaml"]
        part = re.search(r"^entitlements:\n((?: .*\n)+)", catalog, re.MULTILINE)[1]
        self.entitlements = re.findall(r"^  ([\w-]+):", part, re.MULTILINE)
        self.asked = self.entitlements
        self.products = re.findall(r"^  (com\.[\w.]+):", catalog, re.MULTILINE)


class Trial:
    """One program that is given one story, on a ledger of its own."""

    def __init__(self, usher, story, folder, started):
        self.usher, self.story, self.folder, self.started = usher, story, folder, started
        self.ledger = f"{folder}/ledger"
        self.answers, self.merges, self.claims = {}, {}, {}
        self.verdicts = collections.Counter()

    def run(self):
        for number, files in enumerate(self.story.policies):
            os.makedirs(f"{self.folder}/policy-{number}")
            for name, text in files.items():
                with open(f"{self.folder}/policy-{number}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
        for turn, (policy, lines) in enumerate(self.story.imports):
            if lines:
                self.bring_in(turn, policy, lines)
        policy = self.story.imports[-1][0]
        service = subprocess.Popen(
            [self.usher, "serve", "--ledger", self.ledger, "--policies",
             f"{self.folder}/policy-{policy}", "--sockets", f"{self.folder}/run",
             "--log-level", "error"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            self.await_service(service)
            self.act()
            self.ask()
        finally:
            if service.poll() is None:
                stop(service)
        self.export("export at the end")
        return self.answers

    def await_service(self, service):
        for _ in range(3_000):
            if service.poll() is not None:
                error = service.stderr.read().decode(errors="replace")
                raise RuntimeError(f"{self.usher} does not serve '{self.story.name}': {error}")
            try:
                if self.call("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            try:
                service.wait(0.01)
            except subprocess.TimeoutExpired:
                pass
        raise RuntimeError(f"{self.usher} did not become ready for '{self.story.name}'")

    def bring_in(self, turn, policy, lines):
        path = f"{self.folder}/evidence.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        output = self.ingest(policy, path)
        if waits := re.search("from: [0-9a-f]{64}", output.stdout + output.stderr):
            # It takes something away, which is what the scenario is about.
            with open(f"{self.folder}/policy-{policy}/accept.yaml", "w", encoding="utf-8") as file:
                file.write(waits[0] + "\nbecause: the scenario\naccounts_at_most: 9\n")
            output = self.ingest(policy, path)
        results = []
        for line in output.stdout.splitlines():
            result = json.loads(line)
            if "file" in result:
                result["file"] = os.path.basename(result["file"])
            results.append(result)
        if not results or output.returncode == 2:
            said = output.stdout + output.stderr
            raise RuntimeError(f"{self.usher} ingest, '{self.story.name}': {said}")
        if "summary" in results[-1]:
            for verdict in ("accepted", "quarantined", "refused"):
                self.verdicts[verdict] += results[-1]["summary"][verdict]
        else:
            self.verdicts["in imports that failed"] += len(lines)
        self.note(f"ingest {turn}", [output.returncode, results])

    def ingest(self, policy, path):
        return subprocess.run(
            [self.usher, "ingest", "--json", "--ledger", self.ledger, "--policies",
             f"{self.folder}/policy-{policy}", path], capture_output=True, text=True, check=False)

    def export(self, name):
        output = subprocess.run([self.usher, "ledger", "export", "--ledger", self.ledger],
                                capture_output=True, text=True, check=False)
        entries = [json.loads(line) for line in output.stdout.splitlines()]
        self.note(name, [output.returncode, entries])
        return entries

    def call(self, method, path, body=None, key=None):
        connection = LocalConnection(f"{self.folder}/run/usher.sock")
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def note(self, name, answer):
        """Keeps an answer without its sentences, and without what the clock of the run says."""
        self.answers[name] = json.dumps(self.plain(answer), sort_keys=True, ensure_ascii=False)

    def plain(self, value):
        if isinstance(value, list):
            return [self.plain(one) for one in value]
        if isinstance(value, dict):
            is_built_in = value.get("file") == "built-in"
            return {name: self.plain(one) for name, one in value.items()
                    if not (name in SENTENCES and isinstance(one, str))
                    and name != "age_seconds"
                    and not (name == "name" and is_built_in)
                    and not (name == "text" and "code" in value)}
        if isinstance(value, str) and INSTANT.fullmatch(value) and value >= self.started:
            return "since the start"
        return value

    def question(self, method, path, body=None, key=None):
        status, answer = self.call(method, path, body, key)
        try:
            answer = json.loads(answer)
        except ValueError:
            answer = answer.decode(errors="replace")
        self.note(" ".join([method, path, json.dumps(body) if body else ""]).strip(),
                  [status, answer])
        return answer

    def act(self):
        if not self.story.actions:
            return
        for entry in self.export("export before the actions"):
            if entry["kind"] == "claim":
                claim = entry["entry"]
                transaction = "T" + claim["transaction"]["transactionId"]
                self.claims[transaction] = entry["sequence"]
                self.claims[claim["account"], transaction] = entry["sequence"]
        for words in self.story.actions:
            self.action(*words)

    def action(self, verb, *words):
        reason = {"reason": "compared"}
        if verb == "grant":
            to = words.index("to")
            gift, account = words[1:to], words[to + 1]
            body = {"credit": gift[1], "units": int(gift[0])} if len(gift) > 1 \
                else {"entitlement": gift[0]}
            self.question("POST", "/v1/grants", {"account": account} | body | reason, words[0])
        elif verb == "block":
            self.question("POST", "/v1/blocks", {"account": words[2]} | reason, words[0])
        elif verb in ("revoke", "unblock"):
            name = {"revoke": "grants", "unblock": "blocks"}[verb]
            self.question("DELETE", f"/v1/{name}/{words[0]}", reason)
        elif verb == "register":
            self.question("POST", "/v1/account-tokens",
                          {"token": scenarios.token(words[0]), "account": words[0]} | reason)
        elif verb == "merge":
            body = {"from": words[0], "into": words[2]} | reason
            answer = self.question("POST", "/v1/merges", body)
            self.merges[words[0], words[2]] = answer.get("merge", 0)
        elif verb == "unmerge":
            merge = self.merges.get((words[0], words[2]), 0)
            self.question("DELETE", f"/v1/merges/{merge}", reason)
        else:
            self.rule(verb, list(words), reason)

    def rule(self, verb, words, reason):
        transaction = next(word for word in words if re.fullmatch(r"T\d+", word))
        claim = self.claims.get((words[0], transaction)) or self.claims.get(transaction, 0)
        body = {"verb": verb} | reason
        if "to" in words:
            body["account"] = words[words.index("to") + 1]
        self.question("POST", f"/v1/claims/{claim}/ruling", body)

    def await_findings(self):
        """The list of all findings is made in the background."""
        for _ in range(1_000):
            if json.loads(self.call("GET", "/v1/findings")[1]).get("complete", True):
                return
            time.sleep(0.01)

    def ask(self):
        self.await_findings()
        keys = set()
        for account in sorted(self.story.accounts):
            page = f"/v1/accounts/{urllib.parse.quote(account)}"
            self.question("GET", page + "/timeline")
            self.question("GET", page + "/orders")
            for at in self.story.instants:
                for part in ("", "/entitlements", "/credits", "/findings", "/catalog"):
                    self.question("GET", f"{page}{part}?at={at}")
                for entitlement in self.story.asked:
                    self.question("GET", f"{page}/explain/{entitlement}?at={at}")
                    self.question("GET", f"{page}/entitlements/{entitlement}?at={at}")
                self.batch(account, at)
            for product in self.story.products:
                body = {"account": account, "product": product}
                self.question("POST", "/v1/preflight", body)
            subject = {"subject": {"type": "account", "id": account}, "action": {"name": "use"}}
            self.question("POST", "/access/v1/search/resource",
                          subject | {"resource": {"type": "entitlement"}})
        for path in ("/v1/findings", "/v1/claims", "/v1/orders/lost", "/v1/policy"):
            self.question("GET", path)
        for entitlement in self.story.asked:
            body = {"subject": {"type": "account"}, "action": {"name": "use"},
                    "resource": {"type": "entitlement", "id": entitlement}}
            self.question("POST", "/access/v1/search/subject", body)
        for line in self.answers.values():
            keys.update(re.findall(r'"((?:atx|otx):[^"]+)"', line))
        for key in sorted(keys):
            for at in self.story.instants:
                path = f"/v1/apple-ids/{urllib.parse.quote(key, safe='')}/entitlements?at={at}"
                self.question("GET", path)
            self.question("GET", f"/v1/find/{urllib.parse.quote(key.split(':')[-1], safe='')}")

    def batch(self, account, at):
        evaluations = [{"resource": {"type": "entitlement", "id": entitlement}}
                       for entitlement in self.story.entitlements]
        self.question("POST", "/access/v1/evaluations", {
            "subject": {"type": "account", "id": account}, "action": {"name": "use"},
            "context": {"at": at}, "evaluations": evaluations})


def difference(old, new, path=""):
    """Where two answers part: the path to it, and what stands there."""
    if type(old) is type(new) is dict:
        for name in sorted(set(old) | set(new)):
            if name not in old or name not in new or old[name] != new[name]:
                return difference(old.get(name, "(nothing)"), new.get(name, "(nothing)"),
                                  f"{path}.{name}")
    if type(old) is type(new) is list and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new)):
            if left != right:
                return difference(left, right, f"{path}[{index}]")
    texts = [json.dumps(value, ensure_ascii=False)[:300] for value in (old, new)]
    return f"at {path or 'the whole'}: {texts[0]} | {texts[1]}"


def compare(old, new, story, started):
    """How many answers there were, what became of the evidence, and the answers that differ."""
    found, verdicts = [], collections.Counter()
    for usher in (old, new):
        with tempfile.TemporaryDirectory(prefix="usher-compare.") as folder:
            trial = Trial(usher, story, folder, started)
            found.append(trial.run())
            verdicts += trial.verdicts
    first, second = found
    differences = []
    for name in sorted(set(first) | set(second)):
        if first.get(name) != second.get(name):
            values = [json.loads(side.get(name, "null")) for side in (first, second)]
            differences.append(f"{story.name}: {name}\n    {difference(*values)}")
    return len(first), verdicts, differences


def main():
    parser = argparse.ArgumentParser()
    for name in ("old", "new", "repository"):
        parser.add_argument(name)
    parser.add_argument("--only", default="", help="part of the names of scenarios")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--differences", type=int, default=20, help="how many are printed")
    options = parser.parse_args()
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    stories = scenarios.load(f"{options.repository}/fixtures/scenarios", Store(), options.only)
    if not options.only or options.only in "the demonstration":
        stories.append(Story(options.repository))
    if not stories:
        sys.exit(f"no scenario's name contains '{options.only}'")
    answers, verdicts, differences = 0, collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, became, found in pool.map(
                lambda story: compare(options.old, options.new, story, started), stories):
            answers += count
            verdicts += became
            differences += found
    for text in differences[:options.differences]:
        print(text)
    if len(differences) > options.differences:
        print(f"and {len(differences) - options.differences} more")
    evidence = ", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items()))
    print(f"evidence given to the two: {evidence}")
    print(f"{len(stories)} stories, {answers} answers and exports compared,"
          f" {len(differences)} differ")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
