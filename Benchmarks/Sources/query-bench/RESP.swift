/// Redis's protocol, as much as is needed.
enum RESP {
    static func append(_ words: [some Collection<UInt8>], to bytes: inout [UInt8]) {
        bytes += "*\(words.count)\r\n".utf8
        for word in words {
            bytes += "$\(word.count)\r\n".utf8
            bytes += word
            bytes += "\r\n".utf8
        }
    }
}
