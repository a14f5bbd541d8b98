internal import LedgerModel

extension LedgerStoreError {
    /// Stable: what programs decide by.
    var code: String {
        switch self {
        case .alreadyOpen: "ledger.already-open"
        case .cannotOpen: "ledger.cannot-open"
        case .missing: "ledger.missing"
        case .secondName: "ledger.second-name"
        case .rolledBack: "ledger.rolled-back"
        case .replaced: "ledger.replaced"
        case .notALedger: "ledger.not-a-ledger"
        case .schemaTooNew: "ledger.schema-too-new"
        case .schemaTooOld: "ledger.schema-too-old"
        case .foreignSchema: "ledger.foreign-schema"
        case .targetExists: "ledger.target-exists"
        case .remains: "ledger.remains"
        case .notDurable: "ledger.not-durable"
        case .diskFull: "ledger.disk-full"
        case .busy: "ledger.busy"
        case .overloaded: "ledger.overloaded"
        case .duplicate: "ledger.duplicate"
        case .refusedBySchema: "ledger.refused-by-schema"
        case .unreadable: "ledger.unreadable"
        case .chainBroken: "ledger.chain-broken"
        case .corrupt: "ledger.corrupt"
        case .inputOutput: "ledger.input-output"
        case .writingStopped: "ledger.writing-stopped"
        case .failed: "ledger.failed"
        }
    }

    /// For people; the code is for programs.
    var sentences: (english: String, chinese: String) {
        custodySentences ?? openingSentences ?? writingSentences
    }

    private var custodySentences: (english: String, chinese: String)? {
        switch self {
        case .missing(let path, let remains):
            path == remains
                ? (
                    "'\(path)' is a link that leads nowhere; put the ledger back where it leads",
                    "“\(path)”是一个无效的链接；请将账本放回其指向的位置"
                )
                : (
                    "'\(path)' is missing, but '\(remains)' is there; put the ledger back, or "
                        + "restore a backup, or move that file away to begin a new ledger",
                    "“\(path)”缺失，但“\(remains)”存在；请放回账本或恢复备份；若要新建账本，请移走该文件"
                )
        case .secondName(let path):
            (
                "'\(path)' is a second name (a hard link) of its file; use the name under which "
                    + "the ledger was last served, or remove the other one",
                "“\(path)”是该文件的另一个名称（硬链接）；请使用账本上次运行时的名称，或删除另一个名称"
            )
        case .rolledBack(let end, let acknowledged, let wasAccepted):
            Self.rollbackSentences(end, acknowledged, wasAccepted: wasAccepted)
        case .replaced(let path):
            (
                "'\(path)' was moved, removed, replaced or written by another program; nothing "
                    + "is written until the service is started again",
                "“\(path)”已被移动、删除、替换或被其他程序写入；在重新启动服务之前不会写入任何内容"
            )
        default: nil
        }
    }

    private static func rollbackSentences(
        _ end: LedgerPosition, _ acknowledged: LedgerPosition, wasAccepted: Bool
    ) -> (english: String, chinese: String) {
        let (english, chinese) =
            wasAccepted
            ? ("it was accepted once, and is not again", "该结尾已被接受过一次，不能再次接受")
            : (
                "put the newer ledger back, or accept what is lost with "
                    + "'--accept-rollback \(end)'",
                "请放回较新的账本，或使用“--accept-rollback \(end)”接受丢失的内容"
            )
        return (
            "the ledger ends with \(end) and lacks \(acknowledged), which was acknowledged; "
                + english,
            "账本以 \(end) 结尾，缺少已确认的 \(acknowledged)；\(chinese)"
        )
    }

    private var openingSentences: (english: String, chinese: String)? {
        switch self {
        case .alreadyOpen:
            (
                "another process is using this ledger, perhaps by another name",
                "另一个进程正在使用此账本（可能使用了其他名称）"
            )
        case .cannotOpen(let path?):
            (
                "'\(path)' cannot be opened or created; check its owner, mode and folder",
                "无法打开或创建“\(path)”；请检查其所有者、权限和所在文件夹"
            )
        case .cannotOpen(nil):
            ("the ledger file cannot be opened or created", "无法打开或创建账本文件")
        case .notALedger:
            ("this file is not a ledger", "此文件不是账本")
        case .schemaTooNew:
            (
                "this ledger was written by a newer version; use that version or restore a backup",
                "此账本由更新的版本写入；请使用该版本或恢复备份"
            )
        case .schemaTooOld:
            (
                "this ledger was written by an older version; start the service once to upgrade it",
                "此账本由较旧的版本写入；请启动一次服务以完成升级"
            )
        case .foreignSchema(let difference):
            (
                "the ledger's schema was changed: \(difference.sentences.english)",
                "账本的数据库结构被更改：\(difference.sentences.chinese)"
            )
        case .targetExists:
            ("there is a ledger in that place already", "目标位置已存在账本")
        case .remains(let path):
            (
                "'\(path)' is left of an earlier ledger and would be mixed in; move it away first",
                "“\(path)”是此前账本的遗留文件，会混入恢复的账本；请先将其移走"
            )
        case .notDurable(let synchronous):
            (
                "commits would not survive a power loss: 'synchronous' is \(synchronous), not 2",
                "断电时提交可能丢失：“synchronous”为 \(synchronous)，应为 2"
            )
        default: nil
        }
    }

    private var writingSentences: (english: String, chinese: String) {
        switch self {
        case .diskFull: ("the disk is full; nothing was written", "磁盘已满；未写入任何内容")
        case .busy: ("the ledger is locked; nothing was written", "账本被锁定；未写入任何内容")
        case .overloaded:
            ("too many writes are waiting; nothing was written", "等待写入的请求过多；未写入任何内容")
        case .duplicate: ("this entry is in the ledger already", "此条目已在账本中")
        case .refusedBySchema:
            ("entries are only ever appended to a ledger", "账本只能追加条目")
        case .unreadable(let sequence):
            ("entry \(sequence) cannot be read", "条目 \(sequence) 无法读取")
        case .chainBroken(let sequence):
            (
                "entry \(sequence) was changed after it was written",
                "条目 \(sequence) 在写入后被更改"
            )
        case .corrupt: ("the ledger file is damaged", "账本文件已损坏")
        case .inputOutput(let code):
            ("reading or writing the ledger failed (\(code))", "账本读写失败（\(code)）")
        case .writingStopped:
            (
                "writing has stopped after a failure; restart the service once it is repaired",
                "发生故障后已停止写入；修复后请重新启动服务"
            )
        case .failed(let code): ("SQLite failed (\(code))", "SQLite 失败（\(code)）")
        case .missing, .secondName, .rolledBack, .replaced, .alreadyOpen, .cannotOpen, .notALedger,
            .schemaTooNew, .schemaTooOld, .foreignSchema, .targetExists, .remains, .notDurable:
            preconditionFailure("opening has its own table")
        }
    }
}
