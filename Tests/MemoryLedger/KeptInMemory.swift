internal import EntitlementModel
package import LedgerModel
internal import Synchronization

/// What a reconciliation goes on from, in memory. It can break after some writes, as a process
/// that is killed there would leave it.
package final class KeptInMemory: ReconciliationStore {
    private struct State {
        var lines: [[UInt8]] = []
        var notes: [Int64: [UInt8]] = [:]
        /// Writes that still succeed; nil for all.
        var writesLeft: Int?
    }

    private let state = Mutex(State())

    package init() {}

    /// From now on nothing is kept but so many writes.
    package func breaks(afterWrites count: Int) { state.withLock { $0.writesLeft = count } }

    package func mend() { state.withLock { $0.writesLeft = nil } }

    package var journal: [String] {
        state.withLock { $0.lines.map { String(decoding: $0, as: UTF8.self) } }
    }

    package var noteCount: Int { state.withLock { $0.notes.count } }

    package func lines() -> [[UInt8]] { state.withLock(\.lines) }
    package func note(_ number: Int64) -> [UInt8]? { state.withLock { $0.notes[number] } }

    package func append(_ lines: [[UInt8]]) throws(LedgerError) {
        try write { $0.lines += lines }
    }

    package func replace(with lines: [[UInt8]]) throws(LedgerError) {
        try write { $0.lines = lines }
    }

    package func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError) {
        try write { $0.notes[number] = bytes }
    }

    package func clear() throws(LedgerError) {
        try write {
            $0.lines = []
            $0.notes = [:]
        }
    }

    private func write(_ change: (inout State) -> Void) throws(LedgerError) {
        let isKept = state.withLock { state in
            if let left = state.writesLeft {
                guard left > 0 else { return false }
                state.writesLeft = left - 1
            }
            change(&state)
            return true
        }
        if !isKept { throw LedgerError(Broken()) }
    }

    private struct Broken: StoreFailure {
        var kind: LedgerError.Kind { .failed }
        var code: String { "ledger.broken" }
        func template(in language: Language) -> String {
            switch language {
            case .english: "nothing is kept any more"
            case .chinese: "不再保存任何内容"
            }
        }
    }
}
