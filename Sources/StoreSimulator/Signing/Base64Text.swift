/// Base64 as Apple writes it: standard with padding in certificates, URL-safe without in a JWS.
package enum Base64Text {
    package static func standard(_ bytes: some Collection<UInt8>) -> String {
        let text = encode(bytes, "+/")
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    package static func url(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, "-_")
    }

    private static func encode(_ bytes: some Collection<UInt8>, _ last: String) -> String {
        let alphabet = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
