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
        let segments = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3, !segments[0].isEmpty, !segments[1].isEmpty,
            bytes.allSatisfy({ $0 < 0x80 })
        else { throw Refusal(.jwsMalformed) }
        (header, payload, signature) = (segments[0], segments[1], segments[2])
        signingInput = bytes[header.startIndex..<payload.endIndex]
    }
}
