internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import TestSupport
internal import X509

/// A server with a certificate of its own on the loopback interface: `openssl s_server`.
final class TLSServer {
    /// How it presents itself.
    enum Kind: CaseIterable {
        case tls12, tls13
        case tls11, unknownRoot, otherAddress, expired, notYetValid

        /// Whether a client that trusts the certificate is content.
        var isRight: Bool { self == .tls12 || self == .tls13 }
    }

    /// The file with the certificate, which is its own root.
    let roots: String
    let url: String
    private let folder: TemporaryFolder
    private let process = Process()

    init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(kind, key).serializeAsPEM().pemString
        try folder.write(Array(certificate.utf8), to: "certificate")
        try folder.write(Array(key.pemRepresentation.utf8), to: "key")
        roots = folder.url("certificate").path()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", roots, "-key"]
            + [folder.url("key").path()] + Self.arguments(kind)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var said = ""
        while !said.contains(/ACCEPT .*\n/) {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw CocoaError(.executableLoad) }
            said += String(decoding: bytes, as: UTF8.self)
        }
        let port = said.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)/)?.1 ?? "0"
        url = "https://127.0.0.1:\(port)"
    }

    deinit {
        // Where a thread blocks signals, its children do.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func arguments(_ kind: Kind) -> [String] {
        switch kind {
        case .tls11: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]
        case .tls12: ["-tls1_2"]
        case .tls13, .unknownRoot, .otherAddress, .expired, .notYetValid: ["-tls1_3"]
        }
    }

    private static func certificate(
        _ kind: Kind, _ key: P256.Signing.PrivateKey
    ) throws -> Certificate {
        let name = try DistinguishedName { CommonName("Test") }
        // TLS goes by the machine's clock.
        let now = Date()
        let day: TimeInterval = 86_400
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now + (kind == .notYetValid ? day : -2 * day),
            notValidAfter: now + (kind == .expired ? -day : 2 * day), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([
                    .ipAddress(
                        ASN1OctetString(contentBytes: [127, 0, 0, kind == .otherAddress ? 2 : 1]))
                ])
            }, issuerPrivateKey: Certificate.PrivateKey(key))
    }
}
