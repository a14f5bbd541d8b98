extension LedgerStoreError {
    /// Stable: what programs decide by.
    package var code: String {
        switch self {
        case .alreadyOpen: "ledger.already-open"
        case .cannotOpen: "ledger.cannot-open"
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
    package var sentences: (english: String, chinese: String) {
        openingSentences ?? writingSentences
    }

    private var openingSentences: (english: String, chinese: String)? {
        switch self {
        case .alreadyOpen:
            ("another process is using this ledger", "另一个进程正在使用此账本")
        case .cannotOpen:
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
        case .alreadyOpen, .cannotOpen, .notALedger, .schemaTooNew, .schemaTooOld,
            .foreignSchema, .targetExists, .remains, .notDurable:
            preconditionFailure("opening has its own table")
        }
    }
}
