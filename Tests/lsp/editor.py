"""An editor made of a language client of others, in front of 'usher policy lsp'; see
scripts/check-lsp.

    editor.py USHER REPOSITORY [--edits N] [--seed N]
"""

import argparse
import asyncio
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import warnings

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.checks import LspSpecificationWarning

warnings.simplefilter("error", LspSpecificationWarning)

PUBLISH = "textDocument/publishDiagnostics"


def client():
    """A language client that keeps what is published, in order."""
    made = LanguageClient()
    made.published = []

    @made.feature(PUBLISH)
    def published(ls, params):
        made.published.append(params)
        made.diagnostics[params.uri] = params.diagnostics

    @made.feature("client/registerCapability")
    def registered(ls, params):
        made.registered = params.registrations

    return made


class Editor:
    """One open document, and the text as the editor has it."""

    def __init__(self, program, folder, locale="en", encodings=("utf-16",)):
        self.program, self.folder = program, pathlib.Path(folder)
        self.locale, self.encodings = locale, list(encodings)
        self.client = client()
        self.texts, self.versions = {}, {}

    async def __aenter__(self):
        await self.client.start_io(self.program, "policy", "lsp")
        capabilities = client_capabilities("visual-studio-code")
        capabilities.general.position_encodings = [
            types.PositionEncodingKind(name) for name in self.encodings]
        capabilities.text_document.publish_diagnostics.version_support = True
        started = await self.client.initialize_session(types.InitializeParams(
            capabilities=capabilities, locale=self.locale,
            workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), "policies")]))
        agreed = started.capabilities.position_encoding
        self.encoding = getattr(agreed, "value", agreed)
        return self

    async def __aexit__(self, *_):
        await self.client.shutdown_session()
        assert self.client._server.returncode == 0, self.client._server.returncode
        await self.client.stop()

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text=None):
        self.texts[name] = text if text is not None else (self.folder / name).read_text("utf-8")
        self.versions[name] = 1
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(self.uri(name), "yaml", 1, self.texts[name])))

    def close(self, name):
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(
            types.TextDocumentIdentifier(self.uri(name))))

    def units(self, text):
        """The length of a text as positions count it."""
        if self.encoding == "utf-8":
            return len(text.encode())
        return len(text.encode("utf-16-le")) // 2

    def position(self, name, offset):
        before = self.texts[name][:offset]
        line = before.count("\n")
        return types.Position(line, self.units(before[before.rfind("\n") + 1:]))

    def change(self, name, edits):
        """Replaces stretches, given as (start, end, text) each in the text before it."""
        changes = []
        for start, end, text in edits:
            changes.append(types.TextDocumentContentChangePartial(
                text=text, range=types.Range(self.position(name, start),
                                             self.position(name, end))))
            whole = self.texts[name]
            self.texts[name] = whole[:start] + text + whole[end:]
        self.send(name, changes)

    def replace_all(self, name, text):
        self.texts[name] = text
        self.send(name, [types.TextDocumentContentChangeWholeDocument(text=text)])

    def send(self, name, changes):
        self.versions[name] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name)), changes))

    async def settled(self, name):
        """The codes of the file as of its newest version."""
        def newest():
            return next((one for one in reversed(self.client.published)
                         if one.uri == self.uri(name)), None)
        await self.until(name, lambda: newest() and newest().version == self.versions[name])
        return [one.code for one in newest().diagnostics]

    async def until(self, name, is_met):
        """Asks something small until what was published meets the condition."""
        deadline = time.monotonic() + 60
        while not is_met():
            assert time.monotonic() < deadline, self.client.published[-3:]
            await self.client.text_document_hover_async(types.HoverParams(
                types.TextDocumentIdentifier(self.uri(name)), types.Position(0, 0)))

    def diagnostics(self, name):
        return list(self.client.diagnostics.get(self.uri(name), []))

    def at(self, name, needle, behind=True):
        offset = self.texts[name].index(needle) + (len(needle) if behind else 0)
        return {"text_document": types.TextDocumentIdentifier(self.uri(name)),
                "position": self.position(name, offset)}

    async def labels(self, name, needle):
        found = await self.client.text_document_completion_async(
            types.CompletionParams(**self.at(name, needle)))
        return [item.label for item in found.items]

    def marked(self, name, span):
        """The text that a range marks."""
        def offset(position):
            lines = self.texts[name].split("\n")
            line, units, count = lines[position.line], 0, 0
            for sign in line:
                if units >= position.character:
                    break
                units += self.units(sign)
                count += 1
            return sum(len(line) + 1 for line in lines[:position.line]) + count
        return self.texts[name][offset(span.start):offset(span.end)]


RULE = """  - name: 高级 🙂 for everybody
    when: {kind: auto-renewable, state: [grace, expired]}
    then: grant
    only: [premium, archive-2025]
"""


async def type_a_rule(editor):
    """Letter by letter: whatever is half there is complained of, and the whole rule is not."""
    name = "rules.yaml"
    editor.open(name)
    assert await editor.settled(name) == []
    place = editor.texts[name].index("account_switch:") - 1
    seen = set()
    for sign in RULE:
        editor.change(name, [(place, place, sign)])
        place += 1
        seen.update(await editor.settled(name))
    assert {"unknown-word", "missing-key", "unclosed-bracket"} <= seen, seen
    left = await editor.settled(name)
    assert left == ["grants-after-end"] or left == [], left
    return len(RULE), len(seen)


async def make_and_mend(editor):
    """Each mistake appears with its place in the text, and goes away when it is mended."""
    name = "rules.yaml"
    mistakes = [
        ("then: grant\n    only", "then: grnat\n    only", "unknown-word", "grnat"),
        ("state_age: under 7d", "state_age: under 7", "bad-length", "under 7"),
        ("[active, grace, renewing]", "[active, grcae, renewing]", "unknown-word", "grcae"),
        ("product: com.example.reader.silver.old", "product: com.example.reader.silver.odl",
         "unknown-product", "com.example.reader.silver.odl"),
        ("only: [premium, archive", "only: [premum, archive", "unknown-entitlement", "premum"),
        ("    then: share\n", "    then: share\n    高级 🙂: x\n", "unknown-key", "高级 🙂"),
        ("{kind: free}", "{kind: free, offer: 高}", "field-not-here", "offer"),
    ]
    for right, wrong, code, marked in mistakes:
        start = editor.texts[name].index(right)
        editor.change(name, [(start, start + len(right), wrong)])
        codes = await editor.settled(name)
        assert code in codes, (wrong, codes)
        found = next(one for one in editor.diagnostics(name) if one.code == code)
        assert editor.marked(name, found.range) == marked, (
            marked, editor.marked(name, found.range))
        editor.change(name, [(start, start + len(wrong), right)])
        left = await editor.settled(name)
        assert code not in left, left
    return len(mistakes)


async def ask(editor):
    name = "rules.yaml"
    labels = await editor.labels(name, RULE)
    assert "open" in labels and "access" not in labels, labels
    answers = 1
    for needle, label in [
        ("then: ", "withhold"), ("only: [", "premium"), ("when: {", "product"),
        ("state: [active, ", "grace"), ("group: ", "membership"), ("cooldown: ", "7d"),
        ("product: ", "com.example.reader.silver.old"), ("auto-renewable, sta", "state"),
    ]:
        labels = await editor.labels(name, needle)
        assert label in labels, (needle, labels)
        answers += 1
    for needle, words in [
        ("com.example.reader.silver.old", ["首年白银会员", "2.99 USD", "`premium`"]),
        ("a courtesy week", ["`billing-retry`", "{product: "]),
        ("only: [premium", ["Premium reading"]), ("state_age", ["`under 7d`"]),
    ]:
        found = await editor.client.text_document_hover_async(
            types.HoverParams(**editor.at(name, needle)))
        for word in words:
            assert word in found.contents.value, (needle, found.contents.value)
        answers += 1
    start = editor.texts[name].index("then: grant")
    editor.change(name, [(start, start + len("then: grant"), "then: grnt")])
    await editor.settled(name)
    found = await editor.client.text_document_code_action_async(types.CodeActionParams(
        types.TextDocumentIdentifier(editor.uri(name)),
        types.Range(editor.position(name, start), editor.position(name, start + 5)),
        types.CodeActionContext(editor.diagnostics(name))))
    assert not found, found
    found = await editor.client.text_document_code_action_async(types.CodeActionParams(
        types.TextDocumentIdentifier(editor.uri(name)),
        types.Range(editor.position(name, start), editor.position(name, start + 10)),
        types.CodeActionContext(editor.diagnostics(name))))
    assert [one.title for one in found] == ["Write 'then: grant'"], found
    edit = found[0].edit.changes[editor.uri(name)][0]
    assert editor.marked(name, edit.range) == "grnt" and edit.new_text == "grant"
    editor.change(name, [(start + 6, start + 10, "grant")])
    await editor.settled(name)
    return answers + 2


async def edit_at_random(editor, edits, seed):
    """Two servers see the same text, one by its edits and one whole."""
    draw = random.Random(seed)
    name = "rules.yaml"
    pieces = ["高", "🙂", "\n", "  ", "- ", ": ", "{", "}", "[", "]", "'", '"', "#", "é", "premium",
              "then: grant\n", "    ", "\r\n", "state", "👨‍👩‍👧", "，"]
    async with Editor(editor.program, editor.folder, encodings=editor.encodings) as other:
        other.open(name, editor.texts[name])
        original = editor.texts[name]
        for number in range(edits):
            if number % 25 == 0:
                editor.replace_all(name, original)
            batch = []
            text = editor.texts[name]
            for _ in range(draw.randint(1, 3)):
                # Between CR and LF, and inside a character, an editor has no position.
                start = draw.randint(0, len(text))
                end = min(len(text), start + draw.choice([0, 0, 1, 2, 9]))
                if "\r\n" in (text[start - 1:start + 1], text[end - 1:end + 1]):
                    continue
                piece = "".join(draw.choices(pieces, k=draw.randint(0, 2)))
                batch.append((start, end, piece))
                text = text[:start] + piece + text[end:]
            editor.change(name, batch)
            assert editor.texts[name] == text
            other.replace_all(name, text)
            await editor.settled(name)
            await other.settled(name)
            mine, others = editor.diagnostics(name), other.diagnostics(name)
            assert mine == others, (seed, number, mine, others)
        editor.replace_all(name, original)
        await editor.settled(name)
    return edits


async def watch_the_disk(editor):
    """What is not open is read again when the client says so; what is closed is forgotten."""
    path = editor.folder / "app.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("usher: 1", "usher: 7"), "utf-8")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(
        [types.FileEvent(path.as_uri(), types.FileChangeType.Changed)]))
    await editor.until("rules.yaml", lambda: [
        one.code for one in editor.diagnostics("app.yaml")] == ["unknown-version"])
    path.write_text(text, "utf-8")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(
        [types.FileEvent(path.as_uri(), types.FileChangeType.Changed)]))
    await editor.until("rules.yaml", lambda: editor.diagnostics("app.yaml") == [])
    assert [one.method for one in editor.client.registered] == [
        "workspace/didChangeWatchedFiles"]


def talk(program, *parts):
    """Sends bytes, closes the stream: the exit code, the answers, and the log."""
    process = subprocess.run([program, "policy", "lsp"], input=b"".join(parts),
                             capture_output=True, timeout=60)
    answers, rest = [], process.stdout
    while rest:
        header, rest = rest.split(b"\r\n\r\n", 1)
        length = int(header.removeprefix(b"Content-Length: "))
        answers.append(json.loads(rest[:length]))
        rest = rest[length:]
    return process.returncode, answers, process.stderr.decode()


def frame(content):
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


def send_nonsense(program):
    start = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                   "params": {"capabilities": {}}})
    shutdown = frame({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
    leave = frame({"jsonrpc": "2.0", "method": "exit"})
    deep = b"[" * 100_000
    cases = [
        ([start, shutdown, leave], 0, []), ([start, leave], 1, []), ([start], 1, []), ([], 1, []),
        ([b"GET / HTTP/1.1\r\n\r\n"], 1, [-32700]), ([b"x" * 9_000], 1, [-32700]),
        ([b"Content-Length: 99999999999\r\n\r\n"], 1, [-32700]),
        ([b"Content-Length: 10\r\n\r\n{}"], 1, []),
        ([start, frame(b"\xff\xfe"), shutdown, leave], 0, [-32700]),
        ([start, frame(deep), shutdown, leave], 0, [-32700]),
        ([frame({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}), start, shutdown, leave], 0,
         [-32002]),
        ([start, frame({"jsonrpc": "1.0", "id": 5, "method": "shutdown"}), shutdown, leave], 0,
         [-32600]),
        ([start, frame({"jsonrpc": "2.0", "id": 5, "method": "no/such"}), shutdown, leave], 0,
         [-32601]),
        ([start, shutdown, frame({"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover"}),
          leave], 0, [-32600]),
        ([start, frame({"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover"}), shutdown,
          leave], 0, [-32602]),
        ([start, frame({"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover"}),
          frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 5}}), shutdown,
          leave], 0, [-32800]),
    ]
    for parts, code, errors in cases:
        status, answers, log = talk(program, *parts)
        found = [one["error"]["code"] for one in answers if "error" in one]
        assert (status, found) == (code, errors), (parts, status, answers, log)
        assert "Fatal error" not in log, log
    return len(cases)


async def kill_it(program, folder):
    """A server that is killed, and one whose editor is, leave nothing running."""
    editor = Editor(program, folder)
    await editor.__aenter__()
    editor.client._server.send_signal(signal.SIGKILL)
    assert await editor.client._server.wait() == -signal.SIGKILL
    await editor.client.stop()
    process = subprocess.Popen([program, "policy", "lsp"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdin.write(frame({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                               "params": {"capabilities": {}}}))
    process.stdin.flush()
    process.stdout.read(16)
    process.stdout.close()
    process.stdin.close()
    assert process.wait(30) is not None


async def run(program, repository, edits, seed):
    with tempfile.TemporaryDirectory() as folder:
        policies = pathlib.Path(folder) / "政策 policies"
        shutil.copytree(os.path.join(repository, "policies"), policies)
        for encodings in (["utf-16"], ["utf-16", "utf-8"]):
            async with Editor(program, policies, encodings=encodings) as editor:
                assert editor.encoding == encodings[-1], editor.encoding
                typed, kinds = await type_a_rule(editor)
                mended = await make_and_mend(editor)
                answers = await ask(editor)
                changed = await edit_at_random(editor, edits, seed)
                await watch_the_disk(editor)
                print(f"{editor.encoding}: {typed} letters typed ({kinds} kinds of mistakes on "
                      f"the way), {mended} mistakes made and mended, {answers} answers, "
                      f"{changed} random edits", flush=True)
        async with Editor(program, policies, locale="zh-cn") as editor:
            editor.open("rules.yaml", "access:\n  - then: grnt\n")
            await editor.settled("rules.yaml")
            texts = [one.message for one in editor.diagnostics("rules.yaml")]
            assert any("建议：" in text and "grant" in text for text in texts), texts
        print(f"{send_nonsense(program)} streams that are no conversation", flush=True)
        await kill_it(program, policies)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--edits", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(run(os.path.abspath(options.usher), options.repository, options.edits,
                    options.seed))
    print("check-lsp: all is as it should be")


if __name__ == "__main__":
    main()
