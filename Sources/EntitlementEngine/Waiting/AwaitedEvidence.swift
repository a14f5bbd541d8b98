internal import EntitlementModel

/// What proves nothing by itself, so that only Apple can say what it is: handed in with the wish
/// that Apple is asked (spec 1.8).
enum AwaitedEvidence: Hashable, Sendable {
    /// An id of Apple's: digits.
    case transaction(TransactionID)
    /// A transaction receipt of iOS 6, as base64 of a property list.
    case oldReceipt

    /// Nil for what is judged here, or is nothing that Apple could be asked about.
    init?(_ payload: [UInt8]) {
        let text = payload[...].trimmingBlanks()
        if (1...Self.mostDigits).contains(text.count),
            text.allSatisfy({ (0x30...0x39).contains($0) }),
            let id = TransactionID(String(decoding: text, as: UTF8.self))
        {
            self = .transaction(id)
        } else if Self.isOldReceipt(text) {
            self = .oldReceipt
        } else {
            return nil
        }
    }

    private static let mostDigits = 32

    /// `{ "signature" = "…"; "purchase-info" = "…"; … }`
    private static func isOldReceipt(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "e"), text.count <= 65_536,
            let list = Base64.standard.decode(text.filter { $0 != 0x0A && $0 != 0x0D }[...])
        else { return false }
        let words = String(decoding: list, as: UTF8.self)
        return words.contains("\"purchase-info\"") && words.contains("\"signature\"")
    }
}

/// A receipt as verifyReceipt takes it: base64 on one line.
func receiptText(_ payload: [UInt8]) -> String {
    if payload.first == 0x30 { return Base64.standard.encode(payload) }
    return String(
        decoding: payload.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }, as: UTF8.self)
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingBlanks() -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let start = drop(while: isBlank)
        return start.prefix(start.count - start.reversed().prefix(while: isBlank).count)
    }
}
