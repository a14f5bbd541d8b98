"""Evidence that is cheap to send and dear to read before any signature (THREATS.md H28).

    shapes.py USHER             what `usher inspect` spends on each shape: milliseconds of processor
                                time and mebibytes, beyond what it spends on a refused word
    shapes.py USHER --unjudged  the same of a program that is not built for speed; exit 1 only for
                                a shape that is not refused
"""

import base64
import json
import os
import sys
import tempfile

LIMIT = 1_500_000
# What each may take (spec 4.0).
MILLISECONDS, MEBIBYTES = 50, 16


def item(tag, content):
    count = len(content)
    if count < 0x80:
        return bytes([tag, count]) + content
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def filled(tag, part, size=LIMIT):
    return item(tag, part * (size // len(part)))


def nested(tag, depth, core=b""):
    for _ in range(depth):
        core = item(tag, core)
    return core


def integer(number):
    return item(2, number.to_bytes(2, "big").lstrip(b"\0") or b"\0")


SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
DATA = bytes.fromhex("06092a864886f70d010701")
DIGEST = item(0x30, bytes.fromhex("0609608648016503040201") + b"\5\0")


def container(payload=b"1\0", certificates=b"", signers=b"", pieces=None):
    """A PKCS#7 container with what is handed in in the right places."""
    octets = pieces or item(4, payload)
    signed = (integer(1) + item(0x31, DIGEST) + item(0x30, DATA + item(0xA0, octets))
              + item(0xA0, certificates) + item(0x31, signers))
    return item(0x30, SIGNED_DATA + item(0xA0, item(0x30, signed)))


NAME = item(0x31, item(0x30, bytes.fromhex("0603550403") + item(0x0C, b"a")))
ATTRIBUTE = item(0x30, integer(99) + integer(1) + item(4, b""))


def certificate(issuer, extensions=b"", subject=None):
    """Enough of one to have its names read."""
    names = item(0x30, issuer)
    algorithm = item(0x30, bytes.fromhex("06092a864886f70d01010b") + b"\5\0")
    dates = item(0x30, item(0x17, b"200101000000Z") * 2)
    key = item(0x30, algorithm + item(3, b"\0" * 64))
    body = item(0x30, item(0xA0, integer(2)) + integer(1) + algorithm + names + dates
                + item(0x30, subject or issuer) + key + item(0xA3, item(0x30, extensions)))
    return item(0x30, body + algorithm + item(3, b"\0" * 64))


def signer(issuer):
    return item(0x30, integer(1) + item(0x30, item(0x30, issuer) + integer(1)) + DIGEST
                + item(0x30, bytes.fromhex("06092a864886f70d010101") + b"\5\0")
                + item(4, b"\0" * 256))


def shapes():
    """By name."""
    return {
        "empty values": filled(0x30, b"\5\0"),
        "empty sequences": filled(0x30, b"0\0"),
        "empty strings": filled(0x30, b"\4\0"),
        "sequences of one value": filled(0x30, b"0\2\5\0"),
        "forty levels, many times": filled(0x30, nested(0x30, 40)),
        "ten thousand levels": nested(0x30, 10_000),
        "indefinite levels": b"0\x80" * 300_000 + b"\0\0" * 300_000,
        "indefinite sequences": filled(0x30, b"0\x80\0\0"),
        "a string in small pieces": container(pieces=filled(0x24, b"\4\1a")),
        "a giant identifier": item(0x30, item(6, b"\x81" * LIMIT)),
        "a giant number": item(0x30, item(2, b"\x7F" * LIMIT)),
        "80,000 parts of a name": container(
            certificates=certificate(NAME, subject=NAME * 80_000), signers=signer(NAME)),
        "a signer of 80,000 parts": container(
            certificates=certificate(NAME), signers=signer(NAME * 80_000)),
        "names of sixteen certificates": container(
            certificates=certificate(NAME * 60) * 16, signers=signer(NAME * 60)),
        "a thousand certificates": container(
            certificates=certificate(NAME) * 1_000, signers=signer(NAME)),
        "extensions of a certificate": container(
            certificates=certificate(NAME, filled(0x30, item(0x30, b"\6\1\x2A\4\0"), 1_000_000)),
            signers=signer(NAME)),
        "name constraints": container(
            certificates=certificate(NAME, item(0x30, bytes.fromhex("0603551d1e") + item(
                4, filled(0x30, item(0x30, item(0x82, b"a.example")), 1_000_000)))),
            signers=signer(NAME)),
        "empty attributes of a payload": container(
            payload=filled(0x31, b"0\0"), certificates=certificate(NAME), signers=signer(NAME)),
        "attributes of a payload": container(
            payload=filled(0x31, ATTRIBUTE), certificates=certificate(NAME), signers=signer(NAME)),
        "long tags": filled(0x30, b"\x1F\x81\1\0"),
    }


def escaped(number):
    """A name of which the first letter is written as an escape, in no order."""
    number = number * 7919 % 99_991
    return b'"\\u%04x%05d"' % (0x61 + number % 20, number)


def members(names, value=b"0"):
    return b"{" + b",".join(name + b":" + value for name in names) + b"}"


def json_shapes(part=1):
    """By name; within the limits of a document (spec 4.2) or just beyond; or a part of each."""
    long = b'"' + b"a" * (13_000 // part)
    return {
        "escaped names": members(map(escaped, range(99_000 // part))),
        "escaped names in order": members(
            b'"\\u0061%06d"' % number for number in range(99_000 // part)),
        "plain names in no order": members(
            b'"%05d%d"' % (number * 7919 % 99_991, number) for number in range(99_000 // part)),
        "an escaped name twice": members(
            [*map(escaped, range(98_000 // part)), escaped(1)]),
        "names that differ in their ends": members(
            long + b'%d"' % (number * 37 % 101) for number in range(101)),
        "many small objects": b"[" + b",".join(
            [b'{"\\u0061":0,"\\u0062":0}'] * (33_000 // part)) + b"]",
        "objects of some names": b"[" + b",".join(
            [members(b'"\\u00%02x"' % (0x7A - n) for n in range(31))] * (3_000 // part)) + b"]",
        "escapes of one string": b'{"a":"' + b"\\u0061" * (230_000 // part) + b'"}',
        "an escaped name of a mebibyte": b'{"' + b"\\n" * (700_000 // part) + b'":0}',
        "numbers with exponents": b"[" + b",".join([b"1.5e-300"] * (99_000 // part)) + b"]",
        "one long number": b"[1" + b"7" * 290 + b"." + b"3" * (1_400_000 // part) + b"]",
        "one long exponent": b"[1e" + b"0" * (1_400_000 // part) + b"1]",
        "thirty-two levels, many times": b"[" + b",".join(
            [b"[" * 31 + b"]" * 31] * (3_100 // part)) + b"]",
        "too deep": b"[" * (700_000 // part),
        "empty values": b"[" + b",".join([b'""'] * (99_000 // part)) + b"]",
        "white space": b"[" + b" " * (1_400_000 // part) + b"0]",
    }


def jws(payload):
    header = base64.urlsafe_b64encode(b'{"alg":"ES256","x5c":["TUlJ","TUlJ","TUlJ"]}')
    return b".".join(part.rstrip(b"=") for part in (
        header, base64.urlsafe_b64encode(payload), base64.urlsafe_b64encode(b"\0" * 64)))


def evidence():
    """Each as it is handed in: containers, and JSON by itself and as the payload of a JWS."""
    found = dict(shapes())
    for name, text in json_shapes().items():
        found["JSON: " + name] = b'{"a":' + text + b"}"
    # A JWS may be 256 KiB long.
    for name, text in json_shapes(9).items():
        found["JWS: " + name] = jws(text)
    return found


def bodies():
    """Each as a body of POST /v1/evidence: containers and JWS in it, JSON as the body itself."""
    return [b'{"payload":"%s"}' % base64.b64encode(shape) for shape in shapes().values()] + [
        b'{"payload":"%s"}' % jws(text) for text in json_shapes(9).values()] + [
        b'{"payload":"a.b.c","a":%s}' % text for text in json_shapes().values()]


def spent(usher, file):
    """Seconds of processor time, mebibytes at most, and the code of the refusal."""
    process = os.posix_spawn(
        usher, [usher, "inspect", file, "--any-bundle", "--json"], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, file + ".json", os.O_WRONLY | os.O_CREAT, 0o600)])
    _, _, used = os.wait4(process, 0)
    with open(file + ".json", encoding="utf-8") as output:
        found = json.loads(output.read() or "{}")
    os.remove(file + ".json")
    code = found.get("code") if found.get("verdict") == "refused" else None
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code


def least(usher, file):
    """The least of three times, which nobody else's work has a part in."""
    runs = [spent(usher, file) for _ in range(3)]
    return min(run[0] for run in runs), min(run[1] for run in runs), runs[0][2]


def write(folder):
    """Each into a file, by its number, after the word; and what they are called."""
    found = {"a word": b"M"} | evidence()
    for number, shape in enumerate(found.values()):
        with open(os.path.join(folder, str(number)), "wb") as file:
            file.write(shape)
    with open(os.path.join(folder, "names"), "w", encoding="ascii") as file:
        json.dump(list(found), file)


def main():
    usher = os.path.abspath(sys.argv[1])
    beyond, taken = 0, 0
    print("| shape | bytes | ms | MiB | code |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        # What a process has had in memory counts for the programs that it becomes.
        if (writer := os.fork()) == 0:
            write(folder)
            os._exit(0)
        if os.waitpid(writer, 0)[1]:
            raise RuntimeError("the shapes cannot be written")
        with open(os.path.join(folder, "names"), encoding="ascii") as file:
            names = json.load(file)[1:]
        word = least(usher, os.path.join(folder, "0"))
        for number, name in enumerate(names, 1):
            file = os.path.join(folder, str(number))
            size = os.path.getsize(file)
            seconds, memory, code = least(usher, file)
            seconds, memory = max(0, seconds - word[0]), max(0, memory - word[1])
            beyond += seconds * 1000 > MILLISECONDS or memory > MEBIBYTES
            taken += code is None
            print(f"| {name} | {size} | {seconds * 1000:.1f} | {memory:.1f} | {code} |")
    print(f"{len(names)} shapes, {beyond} beyond {MILLISECONDS} ms or {MEBIBYTES} MiB,"
          f" {taken} not refused; a word takes {word[0] * 1000:.1f} ms and {word[1]:.1f} MiB")
    return 1 if taken or beyond and "--unjudged" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
