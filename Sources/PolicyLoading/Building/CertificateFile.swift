/// The DER bytes of a certificate file, PEM or DER; nil if it is neither, or has several.
///
/// Only the outermost shape is looked at: one ASN.1 SEQUENCE that fills the file. Whether it is a
/// certificate in truth is for a `CertificateCheck` to say.
package func certificateBytes(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.first == 0x30 { return isOneSequence(bytes) ? bytes : nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let begins = lines.indices.filter { lines[$0] == "-----BEGIN CERTIFICATE-----" }
    let ends = lines.indices.filter { lines[$0] == "-----END CERTIFICATE-----" }
    guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else { return nil }
    let body = lines[(begins[0] + 1)..<ends[0]].joined()
    guard let decoded = decodeBase64(body), isOneSequence(decoded) else { return nil }
    return decoded
}

private func isOneSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
    guard lengthBytes <= 3, bytes.count >= 2 + lengthBytes else { return false }
    let length =
        lengthBytes == 0
        ? Int(bytes[1]) : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + lengthBytes + length
}

/// Standard base64 with padding and without spaces; nil for anything else.
private func decodeBase64(_ text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.utf8.count % 4 == 0, padding <= 2 else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in text.utf8.dropLast(padding) {
        guard let value = base64Value(byte) else { return nil }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return bits & ((1 << UInt32(count)) - 1) == 0 ? decoded : nil
}

private func base64Value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
