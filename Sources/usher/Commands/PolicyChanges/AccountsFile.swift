internal import EntitlementModel
internal import Glibc
internal import PolicyAnalysis
internal import StrictJSON
internal import Synchronization

/// The full list of the accounts that lose or gain something: written line by line next to its
/// place, and put there once it is whole.
final class AccountsFile: Sendable {
    /// By the end of the file's name.
    enum Format: String, CaseIterable {
        case csv
        /// JSON Lines: an object in each line.
        case jsonl

        init?(path: String) {
            guard let format = Self.allCases.first(where: { path.hasSuffix("." + $0.rawValue) })
            else { return nil }
            self = format
        }
    }

    private struct State {
        /// Nil once it is put in its place or given up.
        var descriptor: Int32?
        var failure: CommandFailure?
    }

    private let path: String
    private let format: Format
    private let state: Mutex<State>

    private var temporary: String { path + ".new" }

    /// - Throws: where the file cannot be written, or the ledger is in it.
    init(_ path: String) throws(CommandFailure) {
        let temporary = path + ".new"
        guard let format = Format(path: path), !LedgerFile.isOpen(path),
            !LedgerFile.isOpen(temporary), !InputFile.isFolder(path),
            let descriptor = OutputFile.open(temporary)
        else { throw .unwritableFile(path) }
        self.path = path
        self.format = format
        state = Mutex(State(descriptor: descriptor))
        if format == .csv { write(csvText([ImpactRow.columns])) }
    }

    deinit { giveUp() }

    /// Why it could not be written.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    func add(_ rows: [ImpactRow]) {
        switch format {
        case .csv: write(csvText(rows.map(\.cells)))
        case .jsonl: write(rows.map { $0.json.text + "\n" }.joined())
        }
    }

    private func write(_ text: String) {
        state.withLock { state in
            guard let descriptor = state.descriptor, state.failure == nil else { return }
            if !writesWhole(Array(text.utf8), to: descriptor) {
                state.failure = .unwritableFile(path)
            }
        }
    }

    /// Puts it in its place, durable.
    func finish() throws(CommandFailure) {
        let failure = state.withLock { state -> CommandFailure? in
            guard let descriptor = state.descriptor else { return state.failure }
            if fsync(descriptor) != 0 { state.failure = state.failure ?? .unwritableFile(path) }
            close(descriptor)
            state.descriptor = nil
            if state.failure == nil, rename(temporary, path) != 0 {
                state.failure = .unwritableFile(path)
            }
            if state.failure != nil { unlink(temporary) }
            return state.failure
        }
        if let failure { throw failure }
    }

    /// Leaves what was there as it was.
    private func giveUp() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            close(descriptor)
            unlink(temporary)
            state.descriptor = nil
        }
    }
}

extension ImpactRow {
    /// What is known of it, by the names of the columns and of the members.
    private enum Column: String, CaseIterable {
        case account, change, environment, subject, right, from, until, product
        case isBoundToAppleID = "bound_to_apple_id"
        case state, currency, paid
    }

    private func value(_ column: Column) -> JSONValue? {
        switch column {
        case .account: .string(account.text)
        case .change: .string(direction.rawValue)
        case .environment: .string(right.environment.rawValue)
        case .subject: .string(subject)
        case .right: .string(right.name)
        case .from: .string(interval.start.rfc3339)
        case .until: interval.end.map { .string($0.rfc3339) }
        case .product: product.map { .string($0.text) }
        case .isBoundToAppleID: isBoundToAppleID.map { .bool($0) }
        case .state: state.map { .string($0.rawValue) }
        case .currency: paid.map { .string($0.currency) }
        case .paid: paid.map { .string(Price(milliunits: $0.milliunits, currency: nil).text) }
        }
    }

    private var subject: String {
        switch right.subject {
        case .entitlement: "entitlement"
        case .credit: "credit"
        }
    }

    fileprivate static var columns: [String] { Column.allCases.map(\.rawValue) }

    fileprivate var cells: [String] {
        Column.allCases.map { column in
            value(column).map { $0.string ?? $0.text } ?? ""
        }
    }

    fileprivate var json: JSONValue {
        .object(known: Column.allCases.map { ($0.rawValue, value($0)) })
    }
}
