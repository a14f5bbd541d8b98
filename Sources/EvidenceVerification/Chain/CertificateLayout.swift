internal import EntitlementModel
internal import SwiftASN1

/// The parts of a certificate's encoding that the library does not hand out as they are.
struct CertificateLayout {
    var innerAlgorithm: ArraySlice<UInt8> = []
    var outerAlgorithm: ArraySlice<UInt8> = []
    var issuer: ArraySlice<UInt8> = []
    var serial: ArraySlice<UInt8> = []
    var subject: ArraySlice<UInt8> = []
    var notBefore = Instant.distantPast
    var notAfter = Instant.distantPast
    var publicKeyInfo: ArraySlice<UInt8> = []
    /// Whether there is an extension that marks a certificate for App Store signing.
    var hasMarker = false

    init(der: [UInt8]) throws(Refusal) {
        switch DERBudget.certificate.check(der[...]) {
        case .within: break
        case .malformed: throw Refusal(.chainMalformed)
        case .exceeded: throw Refusal(.inputTooComplex)
        }
        do {
            try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                let body = try nodes.required()
                outerAlgorithm = try nodes.required().encodedBytes
                _ = try nodes.required()
                try DER.sequence(body, identifier: .sequence) { try readBody(&$0) }
            }
        } catch {
            throw Refusal(.chainMalformed)
        }
    }

    private mutating func readBody(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        var serial = try nodes.required()
        if serial.identifier.tagClass == .contextSpecific { serial = try nodes.required() }
        // The encoded bytes: read as a number they would have lost the leading zero.
        self.serial = serial.encodedBytes
        innerAlgorithm = try nodes.required().encodedBytes
        issuer = try nodes.required().encodedBytes
        try DER.sequence(try nodes.required(), identifier: .sequence) { dates in
            notBefore = try Instant(certificateTime: try dates.required())
            notAfter = try Instant(certificateTime: try dates.required())
        }
        subject = try nodes.required().encodedBytes
        publicKeyInfo = try nodes.required().encodedBytes
        while let node = nodes.next() {
            let isExtensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
            if node.identifier == isExtensions { hasMarker = try Self.findMarker(in: node) }
        }
    }
}

extension CertificateLayout {
    fileprivate static func findMarker(in node: ASN1Node) throws -> Bool {
        guard case .constructed(let outer) = node.content,
            case .constructed(let extensions)? = outer.first(where: { _ in true })?.content
        else { return false }
        for case .constructed(let parts) in extensions.map(\.content) {
            guard let first = parts.first(where: { _ in true }) else { continue }
            let identifier = try ASN1ObjectIdentifier(derEncoded: first)
            let markers = [MarkerRule.leafMarker, MarkerRule.intermediateMarker]
            if markers.contains(identifier) { return true }
        }
        return false
    }
}

extension ASN1NodeCollection.Iterator {
    /// The next node, which must be there.
    fileprivate mutating func required() throws -> ASN1Node {
        guard let node = next() else { throw Refusal(.chainMalformed) }
        return node
    }
}

extension Instant {
    fileprivate init(certificateTime node: ASN1Node) throws {
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            self.init(
                date: (time.year, time.month, time.day),
                clock: (time.hours, time.minutes, time.seconds))
        } else {
            let time = try GeneralizedTime(derEncoded: node)
            self.init(
                date: (time.year, time.month, time.day),
                clock: (time.hours, time.minutes, time.seconds))
        }
    }

    private init(date: (Int, Int, Int), clock: (Int, Int, Int)) {
        let day = CivilDate(year: Int64(date.0), month: Int64(date.1), day: Int64(date.2))
        let seconds = Int64(clock.0 * 3_600 + clock.1 * 60 + clock.2)
        self.init(milliseconds: day.daysSinceEpoch * 86_400_000 + seconds * 1_000)
    }
}
