internal import Crypto
internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// A P-384 key that signs certificates the same way every time.
struct CertificateSigningKey: CustomPrivateKey {
    private let secret: [UInt8]
    private let key: P384.Signing.PrivateKey
    private let signer: DeterministicSigner

    init(_ key: P384.Signing.PrivateKey) {
        self.key = key
        secret = Array(key.rawRepresentation)
        signer = DeterministicSigner(.p384, secret: secret)
    }

    var publicKey: Certificate.PublicKey { Certificate.PublicKey(key.publicKey) }

    var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA384 }

    var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [.ecdsaWithSHA384] }

    func signSynchronously(
        bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
    ) throws -> Certificate.Signature {
        let raw = signer.signature(over: Array(bytes))
        let signature = try P384.Signing.ECDSASignature(rawRepresentation: raw)
        return try Certificate.Signature(
            signatureAlgorithm: .ecdsaWithSHA384,
            signatureBytes: ASN1BitString(bytes: Array(signature.derRepresentation)[...]))
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.serialize(ASN1Any(derEncoded: Array(key.derRepresentation)))
    }

    static var defaultPEMDiscriminator: String { "PRIVATE KEY" }

    func serializeAsPEM(discriminator: String) throws -> PEMDocument {
        try PEMDocument(pemString: key.pemRepresentation)
    }

    static func == (left: Self, right: Self) -> Bool { left.secret == right.secret }

    func hash(into hasher: inout Hasher) {
        hasher.combine(secret)
    }
}
