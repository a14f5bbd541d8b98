/// A JWS in its compact form: three base64url segments between two dots.
struct CompactJWS {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// What is signed: the first two segments and the dot between them.
    let signingInput: ArraySlice<UInt8>

    /// Splits on the byte 0x2E alone; every other way of counting dots can be fooled. The last
    /// segment may be empty: then there is no signature, and none that holds.
    init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        guard bytes.isASCII, let first = bytes.firstIndex(of: Self.dot),
            let second = bytes[(first + 1)...].firstIndex(of: Self.dot),
            !bytes[(second + 1)...].contains(Self.dot), first > bytes.startIndex,
            second > first + 1
        else { throw Refusal(.jwsMalformed) }
        header = bytes[..<first]
        payload = bytes[(first + 1)..<second]
        signature = bytes[(second + 1)...]
        signingInput = bytes[..<second]
    }

    private static let dot = UInt8(ascii: ".")
}

extension ArraySlice<UInt8> {
    fileprivate var isASCII: Bool {
        withUnsafeBufferPointer { bytes in bytes.reduce(0) { $0 | $1 } < 0x80 }
    }
}
