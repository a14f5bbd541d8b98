internal import LedgerModel

/// What somebody should know of a ledger's file that is open all the same.
enum LedgerFileNotice: Hashable, LedgerNotice {
    /// Its head file could not be read: nobody can tell whether the ledger is older than what
    /// was acknowledged.
    case headUnreadable(path: String)
    /// Its head file cannot be written now. Said once, until it can be again.
    case headNotWritten(path: String, LedgerStoreError)
    /// A person accepted that the ledger no longer has what was acknowledged.
    case rollbackAccepted(LedgerPosition, insteadOf: LedgerPosition)
    /// A person accepted an end, and the ledger has all that was acknowledged.
    case nothingToAccept(LedgerPosition)
    /// A file's access is not what it is set to be, and is not ours to change.
    case accessNotGiven(path: String)
    /// It is not at its path any more: nothing is written until the next start.
    case replaced(path: String)
}

extension LedgerFileNotice {
    var isCritical: Bool {
        if case .replaced = self { true } else { false }
    }

    var code: String {
        switch self {
        case .headUnreadable: "ledger.head-unreadable"
        case .headNotWritten: "ledger.head-not-written"
        case .rollbackAccepted: "ledger.rollback-accepted"
        case .nothingToAccept: "ledger.nothing-to-accept"
        case .accessNotGiven: "ledger.access-not-given"
        case .replaced(let path): LedgerStoreError.replaced(path: path).code
        }
    }

    var sentences: (english: String, chinese: String) {
        switch self {
        case .headUnreadable(let path):
            (
                "'\(path)' cannot be read: whether the ledger lacks anything that was acknowledged "
                    + "is not known",
                "无法读取“\(path)”：无法得知账本是否缺少已确认的内容"
            )
        case .headNotWritten(let path, let error):
            (
                "'\(path)' cannot be written [\(error.code)]; it is tried again every second",
                "无法写入“\(path)”[\(error.code)]；每秒重试一次"
            )
        case .rollbackAccepted(let end, let acknowledged):
            (
                "a ledger that ends with \(end) was accepted instead of \(acknowledged)",
                "已接受以 \(end) 结尾的账本，放弃已确认的 \(acknowledged)"
            )
        case .nothingToAccept(let end):
            (
                "'--accept-rollback \(end)' is not needed: nothing that was acknowledged is missing",
                "不需要“--accept-rollback \(end)”：已确认的内容没有缺失"
            )
        case .accessNotGiven(let path):
            (
                "the mode or group of '\(path)' is not as set, and is not ours to change",
                "“\(path)”的权限或用户组与设置不符，且无权更改"
            )
        case .replaced(let path): LedgerStoreError.replaced(path: path).sentences
        }
    }
}
