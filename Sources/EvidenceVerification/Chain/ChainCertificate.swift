internal import EntitlementModel
internal import SwiftASN1
internal import X509

/// A certificate together with what its DER says byte by byte.
struct ChainCertificate: Sendable {
    let certificate: Certificate
    let der: [UInt8]
    /// Encoded names: compared as bytes, since Apple's never differ in spelling.
    let subject: ArraySlice<UInt8>
    let issuer: ArraySlice<UInt8>
    /// The encoded serial number.
    let serial: ArraySlice<UInt8>
    let notBefore: Instant
    let notAfter: Instant
    /// The encoded SubjectPublicKeyInfo.
    let publicKeyInfo: ArraySlice<UInt8>

    /// Reads strict DER of a version 3 certificate without duplicate extensions.
    init(der: [UInt8]) throws(Refusal) {
        do {
            certificate = try Certificate(derEncoded: der)
            let layout = try CertificateLayout(derEncoded: der)
            guard certificate.version == .v3, !layout.hasNegativeSerial else {
                throw Refusal(.chainMalformed)
            }
            guard layout.innerAlgorithm == layout.outerAlgorithm else {
                throw Refusal(.chainAlgorithm)
            }
            self.der = der
            subject = layout.subject
            issuer = layout.issuer
            serial = layout.serial
            notBefore = layout.notBefore
            notAfter = layout.notAfter
            publicKeyInfo = layout.publicKeyInfo
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as CertificateError where error.code == .unsupportedPublicKeyAlgorithm {
            throw Refusal(.chainAlgorithm)
        } catch {
            throw Refusal(.chainMalformed)
        }
    }

    var fingerprint: Digest256 { sha256(der) }

    func isValid(at time: Instant) -> Bool {
        notBefore <= time && time <= notAfter
    }
}

/// The parts of a certificate's encoding that the library does not hand out as they are.
private struct CertificateLayout: DERImplicitlyTaggable {
    static var defaultIdentifier: ASN1Identifier { .sequence }

    var innerAlgorithm: ArraySlice<UInt8> = []
    var outerAlgorithm: ArraySlice<UInt8> = []
    var hasNegativeSerial = false
    var issuer: ArraySlice<UInt8> = []
    var serial: ArraySlice<UInt8> = []
    var subject: ArraySlice<UInt8> = []
    var notBefore = Instant.distantPast
    var notAfter = Instant.distantPast
    var publicKeyInfo: ArraySlice<UInt8> = []

    init(derEncoded rootNode: ASN1Node, withIdentifier identifier: ASN1Identifier) throws {
        var layout = CertificateLayout()
        try DER.sequence(rootNode, identifier: identifier) { nodes in
            let body = try nodes.required()
            layout.outerAlgorithm = try nodes.required().encodedBytes
            _ = try nodes.required()
            try DER.sequence(body, identifier: .sequence) { try layout.readBody(&$0) }
        }
        self = layout
    }

    private init() {}

    func serialize(into coder: inout DER.Serializer, withIdentifier: ASN1Identifier) throws {
        preconditionFailure("a certificate's layout is only ever read")
    }

    private mutating func readBody(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        var serial = try nodes.required()
        if serial.identifier.tagClass == .contextSpecific { serial = try nodes.required() }
        // The encoded bytes: read as a number they would have lost the leading zero.
        guard case .primitive(let digits) = serial.content else {
            throw Refusal(.chainMalformed)
        }
        self.serial = serial.encodedBytes
        hasNegativeSerial = (digits.first ?? 0) & 0x80 != 0
        innerAlgorithm = try nodes.required().encodedBytes
        issuer = try nodes.required().encodedBytes
        try DER.sequence(try nodes.required(), identifier: .sequence) { dates in
            notBefore = try Instant(certificateTime: try dates.required())
            notAfter = try Instant(certificateTime: try dates.required())
        }
        subject = try nodes.required().encodedBytes
        publicKeyInfo = try nodes.required().encodedBytes
        while nodes.next() != nil {}
    }
}

extension ASN1NodeCollection.Iterator {
    /// The next node, which must be there.
    mutating func required() throws -> ASN1Node {
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
