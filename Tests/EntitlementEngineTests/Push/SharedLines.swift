internal import LedgerModel
internal import Synchronization

/// What the nodes of a fleet share beside the ledger, as its database keeps it: one node leads.
final class SharedLines: Sendable {
    private struct State {
        var lines: [(number: Int, line: [UInt8])] = []
        var last = 0
        var leader: String?
        var epoch = 0
        var isGone = false
        var fails = 0
    }

    private let state = Mutex(State())

    /// From now on that node leads, whether the one before knows it or not.
    func lead(_ node: String) {
        state.withLock {
            $0.leader = node
            $0.epoch += 1
        }
    }

    /// The database does not answer.
    var isGone: Bool {
        get { state.withLock(\.isGone) }
        set { state.withLock { $0.isGone = newValue } }
    }

    /// Of that many writes the outcome is lost: they are kept, and nobody is told.
    func losesOutcomes(_ count: Int) { state.withLock { $0.fails = count } }

    var texts: [String] {
        state.withLock { $0.lines.map { String(decoding: $0.line, as: UTF8.self) } }
    }

    func node(_ name: String) -> Node { Node(name, self) }

    final class Node: JournalStore {
        private let name: String
        private let shared: SharedLines
        private let read = Mutex((epoch: Int?.none, first: Int?.none, last: 0))

        init(_ name: String, _ shared: SharedLines) {
            self.name = name
            self.shared = shared
        }

        var isShared: Bool { true }
        var takesLines: Bool { read.withLock { $0.epoch } != nil }

        func lines() throws(LedgerError) -> [[UInt8]] {
            let found = try shared.ask { [name] state in
                (state.leader == name ? state.epoch : nil, state.lines)
            }
            read.withLock {
                $0 = (found.0, found.1.first?.number, found.1.last?.number ?? 0)
            }
            return found.1.map(\.line)
        }

        func newLines() throws(LedgerError) -> [[UInt8]]? {
            let known = read.withLock(\.self)
            let found = try shared.ask { state in state.lines }
            guard found.first?.number == known.first else { return nil }
            read.withLock { $0.last = found.last?.number ?? $0.last }
            return found.filter { $0.number > known.last }.map(\.line)
        }

        func append(_ lines: [[UInt8]]) throws(LedgerError) { try write(lines, isAnew: false) }

        func replace(with lines: [[UInt8]]) throws(LedgerError) { try write(lines, isAnew: true) }

        private func write(_ lines: [[UInt8]], isAnew: Bool) throws(LedgerError) {
            let epoch = read.withLock(\.epoch)
            let outcome = try shared.ask { state -> FleetError? in
                guard state.epoch == epoch else { return .notLeader }
                if isAnew { state.lines = [] }
                for line in lines {
                    state.last += 1
                    state.lines.append((state.last, line))
                }
                guard state.fails > 0 else { return nil }
                state.fails -= 1
                return .outcomeUnknown
            }
            if let outcome {
                read.withLock { $0.epoch = nil }
                throw LedgerError(outcome)
            }
            read.withLock { $0.last += lines.count }
        }
    }

    private func ask<Value: Sendable>(
        _ body: @Sendable (inout State) -> Value
    ) throws(LedgerError) -> Value {
        let value = state.withLock { $0.isGone ? nil : body(&$0) }
        guard let value else { throw LedgerError(FleetError.unreachable("gone")) }
        return value
    }
}
