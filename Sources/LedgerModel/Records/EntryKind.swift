package import EntitlementModel
package import StrictJSON

/// The kinds of entries, each with the number, the name and the type of its records: the only list
/// of them next to `LedgerEntry`.
///
/// Numbers and names are part of every hash: none is ever given a new meaning.
package enum EntryKind: Int64, CaseIterable, LedgerText, Sendable {
    case policyActivation = 1
    case evidence = 2
    case transaction = 3
    case renewal = 4
    case appTransaction = 5
    case notification = 6
    case claim = 7
    case decision = 8
    case ruling = 9
    case refusal = 10
    case quarantine = 11
    case grant = 12
    case grantRevocation = 13
    case block = 14
    case blockRemoval = 15
    case accountToken = 16
    case accountMerge = 17
    case order = 18
    case orderEvent = 19
    case storeReport = 20
    case repeatedOrder = 21
    case evidenceTicket = 22
    case ticketClosed = 23
    case creditSpend = 24
    case creditHold = 25
    case holdEnd = 26
    case spendReversal = 27
    case creditThaw = 28
    case refundConsent = 29
    case refundAnswer = 30
    case policySchedule = 31
    case policyScheduleEnd = 32
    case orderPromise = 33
    case erasure = 34
    case restated = 35

    /// What a claim of an account is judged by besides the purchase.
    package static let ofStanding: [EntryKind] = [.accountMerge, .block, .blockRemoval]

    /// The name of the one member of the payload besides its version.
    package var name: StaticString { registration.name }

    /// The words for a kind by its name; the name itself where this version does not know it.
    package static func words(_ name: String, _ language: Language) -> String {
        allCases.first { "\($0.name)" == name }?.text(language) ?? name
    }

    /// Whether `FactSet.insert` skips it: no derivation reads it.
    package var isPassedOver: Bool { registration.isPassedOver }

    /// Reads the member of the payload that is named for the kind.
    func read(from payload: inout PayloadReader) throws(PayloadError) -> LedgerEntry {
        try registration.read(&payload)
    }

    // Kinds are numbered from 1 without gaps.
    private var registration: Registration { Self.registrations[Int(rawValue) - 1] }

    private static let registrations = [
        Registration("policyActivation", LedgerEntry.policyActivation, isPassedOver: true),
        Registration("evidence", LedgerEntry.evidence, isPassedOver: true),
        Registration("transaction", LedgerEntry.transaction),
        Registration("renewal", LedgerEntry.renewal),
        Registration("appTransaction", LedgerEntry.appTransaction, isPassedOver: true),
        Registration("notification", LedgerEntry.notification, isPassedOver: true),
        Registration("claim", LedgerEntry.claim),
        Registration("decision", LedgerEntry.decision),
        Registration("ruling", LedgerEntry.ruling),
        Registration("refusal", LedgerEntry.refusal, isPassedOver: true),
        Registration("quarantine", LedgerEntry.quarantine),
        Registration("grant", LedgerEntry.grant),
        Registration("grantRevocation", LedgerEntry.grantRevocation),
        Registration("block", LedgerEntry.block),
        Registration("blockRemoval", LedgerEntry.blockRemoval),
        Registration("accountToken", LedgerEntry.accountToken),
        Registration("accountMerge", LedgerEntry.accountMerge),
        Registration("order", LedgerEntry.order, isPassedOver: true),
        Registration("orderEvent", LedgerEntry.orderEvent, isPassedOver: true),
        Registration("storeReport", LedgerEntry.storeReport),
        Registration("repeatedOrder", LedgerEntry.repeatedOrder, isPassedOver: true),
        Registration("evidenceTicket", LedgerEntry.evidenceTicket, isPassedOver: true),
        Registration("ticketClosed", LedgerEntry.ticketClosed, isPassedOver: true),
        Registration("creditSpend", LedgerEntry.creditSpend),
        Registration("creditHold", LedgerEntry.creditHold),
        Registration("holdEnd", LedgerEntry.holdEnd),
        Registration("spendReversal", LedgerEntry.spendReversal),
        Registration("creditThaw", LedgerEntry.creditThaw),
        Registration("refundConsent", LedgerEntry.refundConsent),
        Registration("refundAnswer", LedgerEntry.refundAnswer, isPassedOver: true),
        Registration("policySchedule", LedgerEntry.policySchedule, isPassedOver: true),
        Registration("policyScheduleEnd", LedgerEntry.policyScheduleEnd, isPassedOver: true),
        Registration("orderPromise", LedgerEntry.orderPromise),
        Registration("erasure", LedgerEntry.erasure, isPassedOver: true),
        Registration("restated", LedgerEntry.restated, isPassedOver: true),
    ]

    package var english: String {
        switch self {
        case .policyActivation: "policy activations"
        case .evidence: "evidence"
        case .transaction: "signed transactions"
        case .renewal: "signed renewal infos"
        case .appTransaction: "signed app transactions"
        case .notification: "notifications"
        case .claim: "claims"
        case .decision: "decisions"
        case .ruling: "manual rulings"
        case .refusal: "evidence refusals"
        case .quarantine: "quarantined parts"
        case .grant: "manual grants"
        case .grantRevocation: "grant revocations"
        case .block: "blocks"
        case .blockRemoval: "block removals"
        case .accountToken: "account tokens"
        case .accountMerge: "account merges"
        case .order: "orders"
        case .orderEvent: "order events"
        case .storeReport: "store reports"
        case .repeatedOrder: "repeated orders"
        case .evidenceTicket: "evidence tickets"
        case .ticketClosed: "closed tickets"
        case .creditSpend: "credit spends"
        case .creditHold: "credit holds"
        case .holdEnd: "ended holds"
        case .spendReversal: "spend reversals"
        case .creditThaw: "lifted freezes"
        case .refundConsent: "consents to answers about refunds"
        case .refundAnswer: "answered refund requests"
        case .policySchedule: "scheduled policies"
        case .policyScheduleEnd: "ends of scheduled policies"
        case .orderPromise: "promises of orders that hold"
        case .erasure: "erasures"
        case .restated: "restated entries"
        }
    }
}

/// The facts about one kind of entry.
private struct Registration: Sendable {
    let name: StaticString
    let isPassedOver: Bool
    let read: @Sendable (inout PayloadReader) throws(PayloadError) -> LedgerEntry

    init<Record: LedgerRecord>(
        _ name: StaticString, _ entry: @escaping @Sendable (Record) -> LedgerEntry,
        isPassedOver: Bool = false
    ) {
        self.name = name
        self.isPassedOver = isPassedOver
        read = { payload throws(PayloadError) in entry(try payload.member(name)) }
    }
}

/// An entry with the record of its kind.
package struct RegisteredEntry {
    package let kind: EntryKind
    let record: any LedgerRecord

    fileprivate init(_ kind: EntryKind, _ record: some LedgerRecord) {
        self.kind = kind
        self.record = record
    }

    /// Writes the payload.
    package func write(to writer: inout JSONWriter) {
        Payload.write(record, kind, to: &writer)
    }

    /// The keys that the entry is found by, if it is recorded there.
    package func keys(at sequence: LedgerSequence) -> [EntryKey] { record.keys(at: sequence) }
}

extension LedgerEntry {
    /// The entry as a record of its kind.
    package var registered: RegisteredEntry {
        switch self {
        case .policyActivation(let record): .init(.policyActivation, record)
        case .evidence(let record): .init(.evidence, record)
        case .transaction(let record): .init(.transaction, record)
        case .renewal(let record): .init(.renewal, record)
        case .appTransaction(let record): .init(.appTransaction, record)
        case .notification(let record): .init(.notification, record)
        case .claim(let record): .init(.claim, record)
        case .decision(let record): .init(.decision, record)
        case .ruling(let record): .init(.ruling, record)
        case .refusal(let record): .init(.refusal, record)
        case .quarantine(let record): .init(.quarantine, record)
        case .grant(let record): .init(.grant, record)
        case .grantRevocation(let record): .init(.grantRevocation, record)
        case .block(let record): .init(.block, record)
        case .blockRemoval(let record): .init(.blockRemoval, record)
        case .accountToken(let record): .init(.accountToken, record)
        case .accountMerge(let record): .init(.accountMerge, record)
        case .order(let record): .init(.order, record)
        case .orderEvent(let record): .init(.orderEvent, record)
        case .storeReport(let record): .init(.storeReport, record)
        case .repeatedOrder(let record): .init(.repeatedOrder, record)
        case .evidenceTicket(let record): .init(.evidenceTicket, record)
        case .ticketClosed(let record): .init(.ticketClosed, record)
        case .creditSpend(let record): .init(.creditSpend, record)
        case .creditHold(let record): .init(.creditHold, record)
        case .holdEnd(let record): .init(.holdEnd, record)
        case .spendReversal(let record): .init(.spendReversal, record)
        case .creditThaw(let record): .init(.creditThaw, record)
        case .refundConsent(let record): .init(.refundConsent, record)
        case .refundAnswer(let record): .init(.refundAnswer, record)
        case .policySchedule(let record): .init(.policySchedule, record)
        case .policyScheduleEnd(let record): .init(.policyScheduleEnd, record)
        case .orderPromise(let record): .init(.orderPromise, record)
        case .erasure(let record): .init(.erasure, record)
        case .restated(let record): .init(.restated, record)
        }
    }
}
