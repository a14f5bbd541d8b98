"""A store of its own: ECDSA over P-256, three certificates, and signed payloads.

It shares no code with the program. The same payload always has the same signature.
"""

import base64
import hashlib
import json

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(left, right):
    """The sum of two points; None is the neutral one."""
    if left is None or right is None:
        return left or right
    if left[0] == right[0]:
        if (left[1] + right[1]) % P == 0:
            return None
        slope = (3 * left[0] * left[0] - 3) * pow(2 * left[1], -1, P)
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, P)
    x = (slope * slope - left[0] - right[0]) % P
    return x, (slope * (left[0] - x) - left[1]) % P


# BASE, twice BASE, four times BASE and so on.
POWERS = [BASE]
for _ in range(255):
    POWERS.append(add(POWERS[-1], POWERS[-1]))


def multiple(number):
    """BASE so many times."""
    sum_ = None
    for bit in range(256):
        if number >> bit & 1:
            sum_ = add(sum_, POWERS[bit])
    return sum_


class Key:
    """A private key that follows from a name."""

    def __init__(self, name):
        self.secret = self.number(name.encode())
        self.point = multiple(self.secret)

    @staticmethod
    def number(data):
        return int.from_bytes(hashlib.sha256(data).digest(), "big") % (ORDER - 1) + 1

    def sign(self, data):
        """The two numbers of the signature; the nonce follows from the key and the data."""
        digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
        nonce = self.number(self.secret.to_bytes(32, "big") + data)
        first = multiple(nonce)[0] % ORDER
        return first, (digest + first * self.secret) * pow(nonce, -1, ORDER) % ORDER


def item(tag, *parts):
    content = b"".join(parts)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*parts):
    return item(0x30, *parts)


def integer(number):
    return item(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def oid(text):
    numbers = [int(number) for number in text.split(".")]
    content = bytes([40 * numbers[0] + numbers[1]])
    for number in numbers[2:]:
        digits = [number & 0x7F]
        while number := number >> 7:
            digits.insert(0, 0x80 | number & 0x7F)
        content += bytes(digits)
    return item(0x06, content)


def bits(content, unused=0):
    return item(0x03, bytes([unused]), content)


def extension(name, content, critical=False):
    return sequence(oid(name), item(0x01, b"\xff") if critical else b"", item(0x04, content))


SIGNATURE = sequence(oid("1.2.840.10045.4.3.2"))
KEY_TYPE = sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7"))


def certificate(name, key, issuer_name, issuer, serial, marker=None, is_authority=True):
    """The DER of an X.509 certificate, valid from 2001 to 2049."""
    def named(text):
        attribute = sequence(oid("2.5.4.3"), item(0x0C, text.encode()))
        return sequence(item(0x31, attribute))

    identifier = hashlib.sha1(key.point[0].to_bytes(32, "big")).digest()
    extensions = [
        extension("2.5.29.19", sequence(item(0x01, b"\xff") if is_authority else b""), True),
        extension("2.5.29.15", bits(b"\x06", 1) if is_authority else bits(b"\x80", 7), True),
        extension("2.5.29.14", item(0x04, identifier)),
    ]
    if marker:
        extensions.append(extension(marker, b"\x05\x00"))
    point = b"\x04" + b"".join(number.to_bytes(32, "big") for number in key.point)
    content = sequence(
        item(0xA0, integer(2)), integer(serial), SIGNATURE, named(issuer_name),
        sequence(item(0x17, b"010101000000Z"), item(0x17, b"490101000000Z")), named(name),
        sequence(KEY_TYPE, bits(point)), item(0xA3, sequence(*extensions)))
    return sequence(content, SIGNATURE,
                    bits(sequence(*(integer(number) for number in issuer.sign(content)))))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


class Store:
    """Signs payloads as Apple would, under a root of its own."""

    def __init__(self):
        root, intermediate, self.leaf = Key("root"), Key("intermediate"), Key("leaf")
        self.root = certificate("Comparison Root", root, "Comparison Root", root, 1)
        chain = [
            certificate("Comparison Leaf", self.leaf, "Comparison Intermediate", intermediate, 3,
                        "1.2.840.113635.100.6.11.1", is_authority=False),
            certificate("Comparison Intermediate", intermediate, "Comparison Root", root, 2,
                        "1.2.840.113635.100.6.2.1"),
            self.root,
        ]
        header = {"alg": "ES256", "x5c": [base64.b64encode(der).decode() for der in chain]}
        self.header = base64url(json.dumps(header).encode())

    @property
    def pem(self):
        return ("-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(self.root).decode()
                + "-----END CERTIFICATE-----\n")

    def sign(self, payload):
        """A compact JWS."""
        data = self.header + b"." + base64url(json.dumps(payload).encode())
        signature = b"".join(number.to_bytes(32, "big") for number in self.leaf.sign(data))
        return (data + b"." + base64url(signature)).decode()
