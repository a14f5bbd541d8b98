package import EntitlementModel
internal import StrictJSON

/// The kinds of entries, each with the number, the name and the type of its records: the only list
/// of them in this target.
///
/// Numbers and names are part of every hash: none is ever given a new meaning.
package enum EntryKind: Int64, CaseIterable, LocalizedText {
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

    /// The name of the payload's one member beside its version.
    var name: StaticString { registration.name }

    /// The words for a kind by its name; the name itself where this version does not know it.
    package static func words(_ name: String, _ language: Language) -> String {
        allCases.first { "\($0.name)" == name }?.text(language) ?? name
    }

    /// Whether `FactSet.insert` passes it over: no derivation reads it.
    var isPassedOver: Bool { registration.isPassedOver }

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
    ]
}

/// What is known of the entries of one kind.
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
        read = { payload throws(PayloadError) in entry(try payload.object(name)) }
    }
}

extension LedgerEntry {
    /// The entry as a record of its kind.
    var registered: (kind: EntryKind, record: any LedgerRecord) {
        switch self {
        case .policyActivation(let record): (.policyActivation, record)
        case .evidence(let record): (.evidence, record)
        case .transaction(let record): (.transaction, record)
        case .renewal(let record): (.renewal, record)
        case .appTransaction(let record): (.appTransaction, record)
        case .notification(let record): (.notification, record)
        case .claim(let record): (.claim, record)
        case .decision(let record): (.decision, record)
        case .ruling(let record): (.ruling, record)
        case .refusal(let record): (.refusal, record)
        case .quarantine(let record): (.quarantine, record)
        case .grant(let record): (.grant, record)
        case .grantRevocation(let record): (.grantRevocation, record)
        case .block(let record): (.block, record)
        case .blockRemoval(let record): (.blockRemoval, record)
        case .accountToken(let record): (.accountToken, record)
        case .accountMerge(let record): (.accountMerge, record)
        }
    }
}
