internal import EntitlementModel
internal import StrictJSON

/// The protected header of a JWS as Apple writes it.
struct JWSHeader {
    /// The DER bytes of the certificates, leaf first.
    let certificates: [[UInt8]]

    /// Reads the segment. One certificate is what the self-signed JWS of local testing has.
    init(_ segment: ArraySlice<UInt8>) throws(Refusal) {
        guard let bytes = Base64.url.decode(segment) else { throw Refusal(.inputEncoding) }
        let header = try Self.parse(bytes)
        guard let algorithm = header["alg"]?.string else { throw Refusal(.jwsMalformed) }
        guard Array(algorithm.utf8) == Array("ES256".utf8) else {
            throw Refusal(
                .jwsAlgorithm, .mismatch(expected: "ES256", found: algorithm.shown(atMost: 40)))
        }
        guard header["crit"] == nil, header["b64"] == nil else { throw Refusal(.jwsCritical) }
        guard let chain = header["x5c"]?.elements,
            chain.count == 3 || chain.count == 1
        else { throw Refusal(.jwsChain) }
        var certificates: [[UInt8]] = []
        for element in chain {
            guard let text = element.string,
                let certificate = Base64.standard.decode(Array(text.utf8)[...])
            else { throw Refusal(.inputEncoding) }
            certificates.append(certificate)
        }
        self.certificates = certificates
    }

    /// Apple's have six.
    private static let maximumValues = 256

    private static func parse(_ bytes: [UInt8]) throws(Refusal) -> JSONValue {
        let header: JSONValue
        do throws(JSONError) {
            header = try parseJSON(bytes, limits: JSONLimits(values: maximumValues))
        } catch {
            switch error.code {
            case .encoding: throw Refusal(.inputEncoding)
            case .tooLarge: throw Refusal(.inputTooComplex)
            case .duplicateKey, .number, .malformed: throw Refusal(.jwsMalformed)
            }
        }
        guard header.members != nil else { throw Refusal(.jwsMalformed) }
        return header
    }
}

/// A JWS in its compact form: three base64url segments between two dots.
struct CompactJWS {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// The signed bytes: the first two segments and the dot between them.
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
