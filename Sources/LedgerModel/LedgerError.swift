package import EntitlementModel

/// Why a store could not do what it was asked: what the engine decides by, and the store's own
/// words. Wrong data is never one of these.
package struct LedgerError: Error, Sendable {
    /// What a caller can do about it.
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
        /// Somebody else uses the ledger, or it is not the one that was served: opening it again
        /// is of no use, or does harm, before a person has looked.
        case needsPerson
        /// What the store keeps is damaged.
        case damaged
        /// Any other failure.
        case failed
    }

    /// What the store says; a store alone knows its type.
    package let failure: any StoreFailure

    package init(_ failure: some StoreFailure) {
        self.failure = failure
    }

    /// What a body that reads or writes a ledger has thrown.
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

    /// Whether the same write may succeed later without anybody repairing anything.
    package var isTransient: Bool { kind == .full || kind == .busy }
}

extension LedgerError: LocalizedText {
    package func facts(in language: Language) -> [String] { failure.facts(in: language) }
}

extension LedgerError: Equatable {
    package static func == (left: LedgerError, right: LedgerError) -> Bool {
        AnyHashable(left.failure) == AnyHashable(right.failure)
    }
}

/// A failure as one kind of store tells it.
package protocol StoreFailure: Error, Hashable, LocalizedText, Sendable {
    var kind: LedgerError.Kind { get }
    /// Begins with `ledger.`.
    var code: String { get }
}

/// What an operator should know of a ledger that is open all the same, as its store tells it.
package protocol LedgerNotice: LocalizedText, Sendable {
    /// Whether the ledger takes no writes any more.
    var isCritical: Bool { get }
    /// Stable: what programs decide by.
    var code: String { get }
}
