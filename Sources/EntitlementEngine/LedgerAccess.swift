internal import EntitlementModel
internal import LedgerStore

/// The ledger's calls with the engine's errors.
extension Ledger {
    func reading<Value>(
        _ body: (any LedgerReading) throws(LedgerStoreError) -> Value
    ) throws(EngineError) -> Value {
        try reader.reading(body)
    }

    func writing<Value: Sendable>(
        _ body: @escaping @Sendable (LedgerTransaction) throws(LedgerStoreError) -> Value,
        committed: @escaping @Sendable (Value) -> Void
    ) async throws(EngineError) -> Value {
        do {
            return try await write(body, committed: committed)
        } catch {
            throw EngineError(ledgerFailure: error)
        }
    }
}

extension LedgerReader {
    func reading<Value>(
        _ body: (any LedgerReading) throws(LedgerStoreError) -> Value
    ) throws(EngineError) -> Value {
        do {
            return try read(body)
        } catch {
            throw EngineError(ledgerFailure: error)
        }
    }
}

extension LedgerTransaction {
    /// The instant at which entries of this commit are recorded: what is decided in it is decided
    /// as of then, so that deciding again from the ledger gives the same.
    func recordingInstant(at now: Instant) throws(LedgerStoreError) -> Instant {
        max(now, try head().recordedAt)
    }
}

extension EngineError {
    fileprivate init(ledgerFailure error: any Error) {
        guard let error = error as? LedgerStoreError else {
            preconditionFailure("bodies that read or write the ledger throw its errors only")
        }
        self = .ledger(error)
    }
}
