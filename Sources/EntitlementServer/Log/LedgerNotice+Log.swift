internal import EntitlementModel
internal import LedgerModel
internal import Logging

extension Logger {
    /// One line of what an operator should know of the ledger.
    func note(_ notice: any LedgerNotice) {
        log(
            level: notice.isCritical ? .critical : .warning,
            "\(notice.text(.english))", metadata: ["code": "\(notice.code)"])
    }
}
