internal import EntitlementDerivation
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

extension EngineTransaction {
    /// Lets something wait for Apple; what waits already is not written again.
    ///
    /// - Parameters:
    ///   - user: whose call lets it wait.
    ///   - bytes: how many it holds that prove nothing by themselves.
    /// - Returns: nil where there is no room for more, of this user or of all.
    func open(
        _ ticket: EvidenceTicket, by user: String?, bytes: Int = 0
    ) throws(LedgerError) -> Recorded<EvidenceTicket>? {
        if let place = try transaction.waitingTicket(like: ticket),
            let waiting = try transaction.ticket(place)
        {
            return waiting.ticket
        }
        guard hasRoom(by: user, bytes: bytes) else { return nil }
        let recorded = try append(ticket, as: .evidenceTicket(ticket))
        opened.append(OpenedTickets.Opened(ticket: recorded, user: user, bytes: bytes))
        return recorded
    }

    private func hasRoom(by user: String?, bytes: Int) -> Bool {
        appStoreQueue.hasRoom(
            for: WaitingLoad.Amount(tickets: 1, bytes: bytes), of: user, opened: opened.amount)
    }

    /// The ticket, unless it was closed meanwhile.
    func waiting(_ number: LedgerSequence) throws(LedgerError) -> Recorded<EvidenceTicket>? {
        guard let history = try transaction.ticket(number), history.closing == nil else {
            return nil
        }
        return history.ticket
    }
}

/// What is left to Apple of what somebody hands in.
extension EngineTransaction {
    /// Keeps what proves nothing by itself until Apple has said what it is.
    ///
    /// - Returns: nil where there is no room for it; then nothing is kept.
    func open(
        _ awaited: AwaitedEvidence, from submission: EvidenceSubmission, calledAt: Instant
    ) throws(LedgerError) -> Recorded<EvidenceTicket>? {
        switch awaited {
        case .transaction(let id):
            return try open(
                EvidenceTicket(.transaction, transaction: id).presented(by: submission),
                by: submission.user)
        case .oldReceipt:
            let bytes = submission.payload.count
            guard hasRoom(by: submission.user, bytes: bytes) else { return nil }
            let record = EvidenceRecord(
                kind: .unverified, digest: EntryHash.digest(of: submission.payload),
                bytes: submission.payload, judgedAt: min(calledAt, now))
            var stored = StoredEvidence(record, ledger: transaction, now: now)
            return try open(
                EvidenceTicket(.oldReceipt, evidence: try stored.store())
                    .presented(by: submission),
                by: submission.user, bytes: bytes)
        }
    }

    /// Asks Apple for what signed evidence cannot say: of a receipt all that came since, of a
    /// transaction whether it is still so. Nil where Apple is not asked.
    func openTicket(
        about evidence: VerifiedEvidence, from submission: EvidenceSubmission,
        _ stored: inout StoredEvidence
    ) throws(LedgerError) -> Recorded<EvidenceTicket>? {
        guard [.production, .sandbox].contains(evidence.environment) else { return nil }
        switch evidence.kind {
        case .receipt where submission.asksApple && mayAskAboutReceipts:
            guard hasRoom(by: submission.user, bytes: 0) else { return nil }
            return try open(
                EvidenceTicket(
                    .receipt, evidence: try stored.store(), environment: evidence.environment
                ).presented(by: submission), by: submission.user)
        case .transaction where mayAskApple && submission.asksApple:
            return try refresh(evidence.transactions.prefix(1), submission)
        case .transaction, .receipt, .receiptAnswer, .importedAnswer:
            let old = try outdated(evidence, submission, stored)
            if mayAskApple { return try refresh(old[...], submission) }
            guard evidence.kind == .receipt, mayAskAboutReceipts, !old.isEmpty,
                hasRoom(by: submission.user, bytes: 0)
            else { return nil }
            return try open(
                EvidenceTicket(
                    .receipt, evidence: try stored.store(), environment: evidence.environment
                ).presented(by: submission), by: submission.user)
        case .renewalInfo, .appTransaction, .notification, .unverified: return nil
        }
    }

    /// Asks whether each is still so; returns the first ticket.
    private func refresh(
        _ transactions: ArraySlice<TransactionSnapshot>, _ submission: EvidenceSubmission
    ) throws(LedgerError) -> Recorded<EvidenceTicket>? {
        var first: Recorded<EvidenceTicket>?
        for snapshot in transactions {
            let ticket = EvidenceTicket(
                .refresh, environment: snapshot.environment, transaction: snapshot.transactionID)
            let opened = try open(ticket, by: submission.user)
            first = first ?? opened
        }
        return first
    }

    /// How many transactions of one piece of evidence are looked up at most.
    private static let mostRefreshes = 20

    /// What somebody presents that was signed too long ago to be relied on alone, and of which
    /// nothing newer is known: a receipt hides the refunds of consumables. Of a subscription its
    /// newest period stands for all.
    private func outdated(
        _ evidence: VerifiedEvidence, _ submission: EvidenceSubmission,
        _ stored: StoredEvidence
    ) throws(LedgerError) -> [TransactionSnapshot] {
        guard let refreshAge, submission.account != nil, stored.hasNewFacts else { return [] }
        let limit = now.advanced(byMilliseconds: -refreshAge)
        var newest: [TransactionKey: TransactionSnapshot] = [:]
        for snapshot in evidence.transactions
        where snapshot.signedDate < limit && snapshot.productID != .app {
            let subject =
                snapshot.expiresDate == nil
                ? snapshot.key
                : TransactionKey(snapshot.environment, snapshot.originalTransactionID)
            if let held = newest[subject], held.purchaseDate >= snapshot.purchaseDate { continue }
            newest[subject] = snapshot
        }
        guard !newest.isEmpty else { return [] }
        let known = try transaction.facts(forTransactions: newest.values.map(\.key)).transactions
        let told = Set(
            known.filter { $0.value.source.form == .jws && $0.value.signedDate >= limit }
                .map(\.value.key))
        return newest.values.filter { !told.contains($0.key) }
            .sorted {
                ($1.purchaseDate, $0.transactionID.text) < ($0.purchaseDate, $1.transactionID.text)
            }
            .prefix(Self.mostRefreshes).map { $0 }
    }
}

extension EvidenceTicket {
    fileprivate func presented(by submission: EvidenceSubmission) -> EvidenceTicket {
        var ticket = self
        ticket.account = submission.account
        ticket.moment = submission.moment
        ticket.order = submission.order
        return ticket
    }
}

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

extension ArraySlice<UInt8> {
    fileprivate func trimmingBlanks() -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let start = drop(while: isBlank)
        return start.prefix(start.count - start.reversed().prefix(while: isBlank).count)
    }
}

extension EngineTransaction {
    /// Has Apple write the token of the account to which a person gave a purchase, so that renewals
    /// say whose they are (spec 1.8). Not for what a family or an organisation shares: there the
    /// token is not the owner's.
    func writeToken(
        of account: AccountID?, for key: TransactionKey
    ) throws(LedgerError) {
        guard mayAskApple, [.production, .sandbox].contains(key.environment), let account,
            let token = try token(of: account),
            let lineage = try transaction.lineage(of: key)
        else { return }
        let newest = try transaction.facts(forLineage: lineage).transactions.map(\.value)
            .filter { $0.lineage == lineage && $0.source.form == .jws }
            .max { $0.signedDate < $1.signedDate }
        guard let newest, newest.ownership == .purchased else { return }
        // What an earlier ruling had set is at Apple, or on its way, and in no transaction yet.
        let isFirstRuling = try transaction.facts(forClaimsOn: [key], by: []).rulings.count <= 1
        guard newest.appAccountToken != token || !isFirstRuling else { return }
        let ticket = EvidenceTicket(
            .accountToken, environment: lineage.environment,
            transaction: lineage.originalTransactionID, account: account, token: token)
        // The same wish from before another one: it is the newest now, and the newest holds.
        if let older = try transaction.waitingTicket(like: ticket) {
            _ = try transaction.append(.ticketClosed(.superseded(older)), at: now)
        }
        _ = try open(ticket, by: nil)
    }

    /// The account's own id where that is one, else what was registered for it last. The token of an
    /// order is none: on an older purchase it would look as if that had paid the order.
    private func token(of account: AccountID) throws(LedgerError) -> AppAccountToken? {
        if policy.history.current.app.accountToken == .isAccountID {
            return AppAccountToken(account.text)
        }
        let registrations = try transaction.facts(forAccount: account).accountTokens
        for registration in registrations.reversed()
        where policy.name(registration.value.account) == account {
            let token = registration.value.token
            if try transaction.order(OrderID(token)) == nil { return token }
        }
        return nil
    }
}

extension TicketClosing {
    /// A newer ticket sets another token of the same lineage.
    package static func superseded(_ ticket: LedgerSequence) -> TicketClosing {
        TicketClosing(
            ticket: ticket, outcome: .refused, code: AppStoreTrouble.superseded.rawValue)
    }
}
