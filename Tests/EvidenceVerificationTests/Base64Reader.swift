/// Reads base64url the obvious way, for tests that take a JWS apart.
enum Base64Reader {
    static func url(_ text: String) -> [UInt8] {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bits: [UInt8] = []
        for character in text.utf8 {
            let digit = alphabet.firstIndex(of: character) ?? 0
            bits += (0..<6).map { UInt8(digit >> (5 - $0) & 1) }
        }
        return stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<(start + 8)].reduce(0) { $0 << 1 | $1 }
        }
    }
}
