internal import Crypto
internal import EntitlementModel
internal import StrictJSON

/// The key that a subscription's deliveries are signed with; nothing shows it.
package struct PushSecret: Sendable {
    private let key: Secret
    private let bytes: [UInt8]

    /// Reads `whsec_…`, base64 of 24 to 64 bytes, as the Standard Webhooks convention has it. Nil for
    /// anything else.
    package init?(_ text: Secret) {
        let line =
            text.revealed.hasSuffix("\n")
            ? String(text.revealed.dropLast()) : text.revealed
        guard line.hasPrefix("whsec_"),
            let bytes = Base64.standard.decode(Array(line.utf8.dropFirst(6))[...]),
            (24...64).contains(bytes.count)
        else { return nil }
        key = text
        self.bytes = bytes
    }

    /// `v1,` and base64 of the HMAC-SHA256 of the id, the second and the body, with points between.
    package func signature(id: String, second: Int64, body: [UInt8]) -> String {
        var signed = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        signed.update(data: Array("\(id).\(second).".utf8))
        signed.update(data: body)
        return "v1," + Base64.standard.encode(Array(signed.finalize()))
    }
}

extension PushSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(key)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
