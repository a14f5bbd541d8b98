internal import EntitlementModel

/// The kind of an entry as the ledger stores it. The numbers are part of every hash: none is ever
/// given a new meaning.
enum EntryKind: Int64, CaseIterable {
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
    var name: String { Self.names[Int(rawValue) - 1] }

    /// Looked up in the type once. Kinds are numbered from 1 without gaps.
    private static let names = allCases.map { "\($0)" }

    init(_ entry: LedgerEntry) {
        switch entry {
        case .policyActivation: self = .policyActivation
        case .evidence: self = .evidence
        case .transaction: self = .transaction
        case .renewal: self = .renewal
        case .appTransaction: self = .appTransaction
        case .notification: self = .notification
        case .claim: self = .claim
        case .decision: self = .decision
        case .ruling: self = .ruling
        case .refusal: self = .refusal
        case .quarantine: self = .quarantine
        case .grant: self = .grant
        case .grantRevocation: self = .grantRevocation
        case .block: self = .block
        case .blockRemoval: self = .blockRemoval
        case .accountToken: self = .accountToken
        case .accountMerge: self = .accountMerge
        }
    }

    /// Whether `FactSet.insert` would pass it over.
    var isPassedOver: Bool {
        switch self {
        case .policyActivation, .evidence, .appTransaction, .notification, .refusal: true
        case .transaction, .renewal, .claim, .decision, .ruling, .quarantine, .grant,
            .grantRevocation, .block, .blockRemoval, .accountToken, .accountMerge:
            false
        }
    }
}
