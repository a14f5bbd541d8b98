package import EntitlementModel

/// Why a store could not do what it was asked: what the engine decides by, and the store's own
/// words. Wrong data is never one of these.
package struct LedgerError: Error, Sendable {
    /// How a caller can react.
    package enum Kind: Hashable, Sendable {
        /// There is no room. Nothing was written; the same write may be tried again.
        case full
        /// Too much is going on. Nothing was written; the same write may be tried again.
        case busy
        /// The entry is there already, by its natural key (spec 4.0). Nothing was written.
        case duplicate
        /// The ledger is not where it was opened any more, or another program wrote to it: nothing
        /// is acknowledged until the next start.
        case replaced
        /// It lacks acknowledged entries: it must not be served or copied before a person has
        /// examined it.
        case rolledBack
        /// It is in use, or not the ledger that was served: opening it again is useless or harmful
        /// before a person has examined it.
        case needsPerson
        /// The stored data are damaged.
        case damaged
        /// Any other failure.
        case failed
    }

    /// The store's own failure; only the store knows its type.
    package let failure: any StoreFailure

    package init(_ failure: some StoreFailure) {
        self.failure = failure
    }

    /// Wraps what a body has thrown that reads or writes a ledger.
    package init(thrown error: any Error) {
        switch error {
        case let error as LedgerError: self = error
        case let failure as any StoreFailure: self.init(failure)
        default:
            preconditionFailure("bodies that read or write a ledger throw its errors only")
        }
    }

    package var kind: Kind { failure.kind }

    /// Stable: what programs decide by.
    package var code: String { failure.code }

    /// Whether the same write may succeed later without a repair.
    package var isTransient: Bool { kind == .full || kind == .busy }
}

extension LedgerError: LocalizedText {
    package func template(in language: Language) -> String {
        failure.template(in: language)
    }

    package func facts(in language: Language) -> [String] { failure.facts(in: language) }
}

extension LedgerError: Equatable {
    package static func == (left: LedgerError, right: LedgerError) -> Bool {
        AnyHashable(left.failure) == AnyHashable(right.failure)
    }
}

/// The failure of one kind of store.
package protocol StoreFailure: Error, Hashable, LocalizedText, Sendable {
    var kind: LedgerError.Kind { get }
    /// Begins with `ledger.`.
    var code: String { get }
}

/// Something an operator should know of a ledger that is open nevertheless.
package protocol LedgerNotice: LocalizedText, Sendable {
    /// Whether the ledger takes no writes any more.
    var isCritical: Bool { get }
    /// Stable: what programs decide by.
    var code: String { get }
}

/// Something in a ledger file that its writer never wrote (spec 3.4).
package enum LedgerProblem: Hashable, Sendable {
    /// The file is damaged; says what the store's own check reported.
    case file(String)
    /// There is no such entry although there are later ones.
    case missing(LedgerSequence)
    /// It is recorded before the entry in front of it.
    case recordedEarlier(LedgerSequence)
    /// Its payload or salt is not the one that was digested.
    case payloadChanged(LedgerSequence)
    /// Its hash does not follow from its fields and the hash before it.
    case chainBroken(LedgerSequence)
    /// Its content was erased, and no erasure says so.
    case payloadErased(LedgerSequence)
    /// Its payload cannot be read as an entry of its kind.
    case unreadable(LedgerSequence)
    /// The bytes of evidence are not those that were judged, or their row is gone.
    case evidenceChanged(LedgerSequence)
    /// The bytes of evidence were erased.
    case evidenceErased(LedgerSequence)
    /// What an erasure says it has erased or restated is not what is erased or restated.
    case erasureDiffers(LedgerSequence)
    /// The schema is not the one that the migrations make.
    case schemaDiffers(SchemaDifference)
    /// An index table does not say what the entries say; rebuilding it repairs that.
    case indexDiffers(table: String)
    /// A change of the feed is not the one that follows on the one before it, or cannot be read.
    case feedDiffers(Int64)
    /// The feed's record of an account or order is unreadable, or not found by when it is due.
    case outlookUnreadable(String)
    /// The ledger does not contain the entry that it is known to have had: an older copy, or
    /// its end was cut off.
    case anchorMissing(LedgerSequence)
    /// The same by the head file next to it: the entry was acknowledged.
    case headMissing(LedgerSequence)

    /// The list of erasures names it, and its content is there.
    case contentLeft(LedgerSequence)
    /// Of the entries that this erasure of the list names, there are others here.
    case listDiffers(LedgerSequence)

    /// Stable.
    package var code: String {
        switch self {
        case .file: "file"
        case .missing: "missing"
        case .recordedEarlier: "recorded-earlier"
        case .payloadChanged: "payload-changed"
        case .chainBroken: "chain-broken"
        case .payloadErased: "payload-erased"
        case .unreadable: "unreadable"
        case .evidenceChanged: "evidence-changed"
        case .evidenceErased: "evidence-erased"
        case .erasureDiffers: "erasure-differs"
        case .schemaDiffers: "schema-differs"
        case .indexDiffers: "index-differs"
        case .feedDiffers: "feed-differs"
        case .outlookUnreadable: "outlook-unreadable"
        case .anchorMissing: "anchor-missing"
        case .headMissing: "head-missing"
        case .contentLeft: "content-left"
        case .listDiffers: "list-differs"
        }
    }

    /// Whether something is gone, and nothing was changed: what does not depend on it can still be
    /// checked. What an erasure has a record of is no problem.
    package var isErasure: Bool {
        switch self {
        case .payloadErased, .evidenceErased: true
        case .file, .missing, .recordedEarlier, .payloadChanged, .chainBroken, .unreadable,
            .evidenceChanged, .erasureDiffers, .schemaDiffers, .indexDiffers, .feedDiffers,
            .outlookUnreadable, .anchorMissing, .headMissing, .contentLeft, .listDiffers:
            false
        }
    }

    /// The entry concerned, if it is about one.
    package var sequence: LedgerSequence? {
        switch self {
        case .missing(let sequence), .recordedEarlier(let sequence),
            .payloadChanged(let sequence), .chainBroken(let sequence),
            .payloadErased(let sequence), .unreadable(let sequence),
            .evidenceChanged(let sequence), .evidenceErased(let sequence),
            .erasureDiffers(let sequence), .anchorMissing(let sequence), .headMissing(let sequence),
            .contentLeft(let sequence), .listDiffers(let sequence):
            sequence
        case .file, .schemaDiffers, .indexDiffers, .feedDiffers, .outlookUnreadable: nil
        }
    }

    package var english: String {
        switch self {
        case .file: "the file is damaged: {0}"
        case .missing: "entry {0} was removed"
        case .recordedEarlier: "entry {0} was recorded before the previous entry"
        case .payloadChanged: "the content of entry {0} was changed after it was written"
        case .chainBroken: "the hash chain is broken at entry {0}"
        case .payloadErased: "the content of entry {0} was erased, and no erasure says so"
        case .unreadable: "entry {0} cannot be read"
        case .evidenceChanged: "the evidence bytes of entry {0} are missing or were changed"
        case .evidenceErased: "the evidence bytes of entry {0} were erased"
        case .erasureDiffers:
            "what the erasure in entry {0} names is not what is erased and restated"
        case .schemaDiffers: "schema: {0}"
        case .indexDiffers: "the index table '{0}' does not match the entries"
        case .outlookUnreadable:
            "what the change feed keeps of '{0}' is unreadable or filed wrongly"
        case .feedDiffers: "change {0} of the change feed is missing, out of order or unreadable"
        case .anchorMissing: "entry {0} does not match the anchor"
        case .headMissing:
            "entry {0} was acknowledged, as the head file next to the ledger says, and is missing"
        case .contentLeft: "entry {0} was erased, as the list says, and still has content here"
        case .listDiffers:
            "the erasure in entry {0} of the list is not made here, and its entries are other ones"
        }
    }
}

extension LedgerProblem: LedgerText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .file(let message): [message]
        case .feedDiffers(let number): ["\(number)"]
        case .outlookUnreadable(let name): [name]
        case .missing(let sequence), .recordedEarlier(let sequence),
            .payloadChanged(let sequence), .chainBroken(let sequence),
            .payloadErased(let sequence), .unreadable(let sequence),
            .evidenceChanged(let sequence), .evidenceErased(let sequence),
            .erasureDiffers(let sequence), .anchorMissing(let sequence), .headMissing(let sequence),
            .contentLeft(let sequence), .listDiffers(let sequence):
            ["\(sequence)"]
        case .schemaDiffers(let difference): [difference.text(language)]
        case .indexDiffers(let table): [table]
        }
    }
}

/// Something in the schema of a ledger file that its migrations did not make so.
package enum SchemaDifference: Hashable, LedgerText, Sendable {
    /// An object that is not the ledger's own, such as `trigger 'x'`.
    case foreign(String)
    /// One of the ledger's own, made otherwise.
    case changed(String)
    case missing(String)

    package func facts(in language: Language) -> [String] {
        switch self {
        case .foreign(let object), .changed(let object), .missing(let object): [object]
        }
    }

    package var english: String {
        switch self {
        case .foreign: "{0} does not belong to the ledger"
        case .changed: "{0} was changed"
        case .missing: "{0} is missing"
        }
    }
}
