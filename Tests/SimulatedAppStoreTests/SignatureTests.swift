internal import Crypto
internal import EntitlementModel
internal import SimulatedAppStore
internal import StoreSimulator
internal import Testing

@Suite("Signatures that follow from key and message", .timeLimit(.minutes(1)))
struct SignatureTests {
    /// RFC 6979, A.2.5 and A.2.6: the message "sample" and "test".
    @Test("are those of the standard's examples")
    func examples() throws {
        let small = DeterministicSigner(
            .p256,
            secret: try bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
        #expect(
            small.signature(over: Array("sample".utf8)).hexadecimal
                == "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
        #expect(
            small.signature(over: Array("test".utf8)).hexadecimal
                == "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083")
        let large = DeterministicSigner(
            .p384,
            secret: try bytes(
                "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d8"
                    + "96d5724e4c70a825f872c9ea60d2edf5"))
        #expect(
            large.signature(over: Array("sample".utf8)).hexadecimal
                == "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c"
                + "81a648152e44acf96e36dd1e80fabe4699ef4aeb15f178cea1fe40db2603138f"
                + "130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8")
    }

    @Test("are valid for every key and message", arguments: 0..<40)
    func valid(number: UInt8) throws {
        let secret = Array(SHA256.hash(data: [number]))
        let message = [UInt8](repeating: number, count: Int(number))
        let key = try P256.Signing.PrivateKey(rawRepresentation: secret)
        let signer = DeterministicSigner(.p256, secret: secret)
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: signer.signature(over: message))
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
    }

    @Test("make one root of one seed, and other roots of others")
    func roots() {
        let root = { SimulatedAppStore.root(seed: $0) }
        #expect(root(1) == root(1))
        #expect(root(1) != root(2))
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        let digits = Array(text)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
        }
    }
}

extension SimulatedAppStore {
    fileprivate static func root(seed: UInt64) -> [UInt8] {
        var settings = SimulatedAppStoreSettings()
        settings.seed = seed
        return SimulatedAppStore(settings).root.der
    }
}
