package import EntitlementModel

/// A text of this target.
package protocol LedgerStoreText: TabledText {}

extension LedgerStoreText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # LedgerStoreError
    missing: “{0}”缺失，但“{1}”存在；请放回账本或恢复备份；若要新建账本，请移走该文件
    rolledBack: 账本以 {0} 结尾，缺少已确认的 {1}；请放回较新的账本，或使用“--accept-rollback {0}”接受丢失的内容
    secondName: “{0}”是该文件的另一个名称（硬链接）；请使用账本上次运行时的名称，或删除另一个名称
    replaced: “{0}”已被移动、删除、替换或被其他程序写入；在重新启动服务之前不会写入任何内容
    alreadyOpen: 另一个进程正在使用此账本（可能使用了其他名称）
    notALedger: 此文件不是账本
    schemaTooNew: 此账本的格式为 {0}，本版本最高支持格式 {1}；请使用较新的版本，或恢复升级前的副本“{2}”
    schemaTooOld: 此账本由较旧的版本写入；请启动一次服务以完成升级
    foreignSchema: 账本的数据库结构被更改：{0}
    foreignErasures: “{0}”是另一账本的擦除清单；请将其与那个账本的文件一起移走
    undoneErasures: “{0}”中的 {1} 次擦除不在此账本中；请将“privacy.key-file”（命令使用 USHER_PRIVACY_KEY_FILE）设为当时所用的密钥，以便重新擦除
    targetExists: 目标位置已存在账本
    remains: “{0}”是此前账本的遗留文件，会混入恢复的账本；请先将其移走
    notDurable: 断电时提交可能丢失：“synchronous”为 {0}，应为 2
    diskFull: 磁盘已满；未写入任何内容
    busy: 账本被锁定；未写入任何内容
    overloaded: 等待写入的请求过多；未写入任何内容
    duplicate: 此条目已在账本中
    refusedBySchema: 账本只能追加条目
    unreadable: 条目 {0} 无法读取
    chainBroken: 条目 {0} 在写入后被更改
    corrupt: 账本文件已损坏
    inputOutput: 账本读写失败（{0}）
    writingStopped: 发生故障后已停止写入；修复后请重新启动服务
    failed: SQLite 失败（{0}）
    fileBehind: 数据库已保存一次提交，但账本文件未能写入；请腾出空间后重新启动服务
    cannotOpen: 无法打开或创建“{0}”；请检查其所有者、权限和所在文件夹
    # LedgerStoreErrorVariant
    missing: “{0}”是一个无效的链接；请将账本放回其指向的位置
    rolledBack: 账本以 {0} 结尾，缺少已确认的 {1}；该结尾已被接受过一次，不能再次接受
    cannotOpen: 无法打开或创建账本文件
    schemaTooNew: 此账本的格式为 {0}，本版本最高支持格式 {1}；请使用较新的版本，或恢复升级前的备份
    # LedgerFileNotice
    headUnreadable: 无法读取“{0}”：无法得知账本是否缺少已确认的内容
    headNotWritten: 无法写入“{0}”[{1}]；每秒重试一次
    rollbackAccepted: 已接受以 {0} 结尾的账本，放弃已确认的 {1}
    nothingToAccept: 不需要“--accept-rollback {0}”：已确认的内容没有缺失
    erasedAgain: “{0}”中有 {1} 次擦除在账本中缺失，已重新擦除
    erasuresNotListed: 无法写入“{0}”；每秒重试一次
    accessNotGiven: “{0}”的权限或用户组与设置不符，且无权更改
    replaced: “{0}”已被移动、删除、替换或被其他程序写入；在重新启动服务之前不会写入任何内容
    """)
