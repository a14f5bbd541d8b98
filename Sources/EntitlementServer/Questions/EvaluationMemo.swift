internal import EntitlementModel

/// The last body of a connection that asked whether an account may use an entitlement.
///
/// Clients write every question alike and change the account. Where all bytes before and behind
/// the account's name are those of the last body, and the name needs no escaping either, the
/// body says the same of another account, and is not read anew.
struct EvaluationMemo: Sendable {
    /// Up to the account's name; empty for none.
    private var before: [UInt8] = []
    /// From the quotation mark behind the name on.
    private var behind: [UInt8] = []
    /// Where the entitlement's name lies in what is behind.
    private var entitlement = 0..<0

    /// Longer ones are not kept: every connection has a memo.
    private static let longest = 512

    /// Whom and what the body asks about, if it is like the last one.
    func recall(_ body: Span<UInt8>) -> PlainUse? {
        let end = body.count - behind.count
        guard before.count > 0, before.count <= end,
            body.extracting(..<before.count).isSame(as: before.span),
            body.extracting(end...).isSame(as: behind.span)
        else { return nil }
        let account = before.count..<end
        guard body.allSatisfy(in: account, \.isPlainInJSON) else { return nil }
        return PlainUse(
            account: account,
            entitlement: entitlement.lowerBound + end..<entitlement.upperBound + end)
    }

    /// Takes note of a body and of what was read from it.
    mutating func keep(_ use: PlainUse, _ body: Span<UInt8>) {
        let (account, entitlement) = (use.account, use.entitlement)
        guard body.count <= Self.longest, entitlement.lowerBound > account.upperBound else {
            return
        }
        before.removeAll(keepingCapacity: true)
        before.append(body.extracting(..<account.lowerBound))
        behind.removeAll(keepingCapacity: true)
        behind.append(body.extracting(account.upperBound...))
        let end = account.upperBound
        self.entitlement = entitlement.lowerBound - end..<entitlement.upperBound - end
    }
}
