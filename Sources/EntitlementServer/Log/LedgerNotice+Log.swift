internal import EntitlementModel
internal import LedgerStore
internal import Logging

extension Logger {
    /// One line of what an operator should know of the ledger.
    func note(_ notice: LedgerNotice) {
        let level: Logger.Level =
            if case .replaced = notice { .critical } else { .warning }
        log(
            level: level, "\(notice.text(.english))", metadata: ["code": "\(notice.code)"])
    }
}
