internal import LedgerModel

/// What is said of ledgers in Chinese.
extension LedgerStoreError {
    var chinese: String {
        switch self {
        case .missing(let path, let remains) where path == remains: "“{0}”是一个无效的链接；请将账本放回其指向的位置"
        case .missing: "“{0}”缺失，但“{1}”存在；请放回账本或恢复备份；若要新建账本，请移走该文件"
        case .rolledBack(_, _, wasAccepted: true): "账本以 {0} 结尾，缺少已确认的 {1}；该结尾已被接受过一次，不能再次接受"
        case .rolledBack: "账本以 {0} 结尾，缺少已确认的 {1}；请放回较新的账本，或使用“--accept-rollback {0}”接受丢失的内容"
        case .secondName: "“{0}”是该文件的另一个名称（硬链接）；请使用账本上次运行时的名称，或删除另一个名称"
        case .replaced: "“{0}”已被移动、删除、替换或被其他程序写入；在重新启动服务之前不会写入任何内容"
        case .alreadyOpen: "另一个进程正在使用此账本（可能使用了其他名称）"
        case .cannotOpen(path: nil): "无法打开或创建账本文件"
        case .notALedger: "此文件不是账本"
        case .schemaTooNew(_, copy: nil):
            "此账本的格式为 {0}，本版本最高支持格式 {1}；请使用较新的版本，或恢复升级前的备份"
        case .schemaTooNew:
            "此账本的格式为 {0}，本版本最高支持格式 {1}；请使用较新的版本，或恢复升级前的副本“{2}”"
        case .schemaTooOld: "此账本由较旧的版本写入；请启动一次服务以完成升级"
        case .foreignSchema: "账本的数据库结构被更改：{0}"
        case .targetExists: "目标位置已存在账本"
        case .remains: "“{0}”是此前账本的遗留文件，会混入恢复的账本；请先将其移走"
        case .notDurable: "断电时提交可能丢失：“synchronous”为 {0}，应为 2"
        case .diskFull: "磁盘已满；未写入任何内容"
        case .busy: "账本被锁定；未写入任何内容"
        case .overloaded: "等待写入的请求过多；未写入任何内容"
        case .duplicate: "此条目已在账本中"
        case .refusedBySchema: "账本只能追加条目"
        case .unreadable: "条目 {0} 无法读取"
        case .chainBroken: "条目 {0} 在写入后被更改"
        case .corrupt: "账本文件已损坏"
        case .inputOutput: "账本读写失败（{0}）"
        case .writingStopped: "发生故障后已停止写入；修复后请重新启动服务"
        case .failed: "SQLite 失败（{0}）"
        case .fileBehind: "数据库已保存一次提交，但账本文件未能写入；请腾出空间后重新启动服务"
        case .fleet(let error): error.chinese
        case .cannotOpen: "无法打开或创建“{0}”；请检查其所有者、权限和所在文件夹"
        }
    }
}

extension LedgerFileNotice {
    var chinese: String {
        switch self {
        case .headUnreadable: "无法读取“{0}”：无法得知账本是否缺少已确认的内容"
        case .headNotWritten: "无法写入“{0}”[{1}]；每秒重试一次"
        case .rollbackAccepted: "已接受以 {0} 结尾的账本，放弃已确认的 {1}"
        case .nothingToAccept: "不需要“--accept-rollback {0}”：已确认的内容没有缺失"
        case .accessNotGiven: "“{0}”的权限或用户组与设置不符，且无权更改"
        case .replaced: "“{0}”已被移动、删除、替换或被其他程序写入；在重新启动服务之前不会写入任何内容"
        }
    }
}
