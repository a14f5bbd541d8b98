/// What the commands say in Chinese.
extension Phrase {
    var chinese: String {
        switch self {
        case .mayUse: "可以：{0} 可以使用 {1}"
        case .mayNotUse: "不可以：{0} 不可以使用 {1}"
        case .until: "，到 {0} 为止"
        case .because: "（{0}）"
        case .listSeparator: "，"
        case .clauseSeparator: "；"
        case .grant: "人工授予：{0}"
        case .rule: "规则“{0}”，位于 {1}"
        case .builtInRule: "内置规则“{0}”"
        case .noService: "{0} 上没有服务应答；请用“usher serve”启动服务"
        case .noServiceNorLedger: "{0} 上没有服务应答；请用“usher serve”启动服务，或用 --ledger 指定账本文件"
        case .serviceRejected: "服务拒绝了请求：{1} [{0}]"
        case .unreadableAnswer: "无法读取服务的应答"
        case .ledgerUnusable: "{0} [{1}]"
        case .unknownEntitlement: "从未有策略定义过此权益 [entitlement.unknown]"
        case .fileUnreadable: "无法读取 {0}"
        case .fileUnwritable: "无法写入 {0}"
        case .played: "共 {0} 条凭证"
        case .policyClean: "策略有效：{0}"
        case .policyFolderUnreadable: "无法读取策略文件夹 {0}"
        case .serving: "正在 {0} 提供服务，策略 {1}"
        case .policyHasErrors: "策略有错误，未执行任何操作"
        case .policyRefusedAtStart: "策略有错误，服务未启动"
        case .lastPolicyStays: "策略文件夹有错误；此前生效的策略保持不变：{0}"
        case .policyWaits: "策略文件夹可能使人失去权益，正在等待接受；此前生效的策略保持不变：{0}"
        case .unknownAccount: "没有账号“{0}”的任何记录；若确为新账号，请加 --new-account"
        case .nothingKnown: "警告：没有账号“{0}”的任何记录"
        case .unknownCommand: "未知的命令“{0}”"
        case .seeHelp: "“{0} --help”会列出所有命令"
        case .noArguments: "无法读取命令行参数：未挂载 /proc"
        case .mistake: "{0}: 错误：{1}"
        }
    }
}

extension AccountPhrase {
    var chinese: String {
        switch self {
        case .title: "{0}，截至 {1}"
        case .mergedInto: "已合并到 {0}，原有内容归该账号：{1}"
        case .nothingKnown: "没有该账号的任何记录"
        case .rights: "权益"
        case .purchases: "购买"
        case .orders: "订单"
        case .leftOut: "未列出（应用报告为无效）：{0}"
        case .balances: "余额"
        case .grants: "人工授予"
        case .blocks: "停用"
        case .claims: "认领"
        case .findings: "待关注事项"
        case .yes: "可用"
        case .no: "不可用"
        case .always: "永久"
        case .since: "自 {0} 起"
        case .until: "到 {0} 为止"
        case .fromUntil: "{0} 至 {1}"
        case .paidUntil: "已付费至 {0}"
        case .expiredBecause: "{0}：{1}"
        case .lineage: "原始交易 {0}"
        case .transaction: "交易 {0}"
        case .appleID: "Apple ID：{0}"
        case .ownedBy: "归 {0} 所有，{1}（决定 {2}）"
        case .ownedAlways: "归 {0} 所有（决定 {1}）"
        case .titled: "{0}（{1}）"
        case .purchaseCount: "共 {0} 笔购买"
        case .purchasedAt: "购买于 {0}"
        case .quantity: "数量 {0}"
        case .seats: "{0} 个席位"
        case .commitmentMonth: "第 {0} 个月（共 {1} 个月）"
        case .commitmentEnd: "承诺期至 {0}"
        case .familyShared: "家人共享"
        case .ownedByNobody: "无所属账号"
        case .entries: "共 {0} 笔"
        case .noCredits: "没有余额"
        case .balanceIs: "{0}：{1}"
        case .grantNamed: "授予 {0}"
        case .given: "{0}，{1}（授予 {2}）"
        case .givenBy: "操作者 {0}：{1}"
        case .grantOver: "已于 {0} 由 {1} 终止：{2}"
        case .blockStanding: "自 {0} 起停用（停用 {1}）"
        case .blockStops: "只停用 {0}"
        case .blockOver: "已于 {0} 由 {1} 解除：{2}"
        case .claim: "认领 {0}：{1} {3}出示交易 {2}，{4}"
        case .owners: "之后归 {0} 所有"
        case .noOwner: "之后无所属账号"
        case .noFindings: "没有待关注事项"
        case .findingsIncomplete: "账本尚未全部检查完，请稍后再查"
        case .noClaims: "没有认领"
        case .nothingOtherwise: "今天没有任何认领会有不同的裁定"
        case .today: "今天：{0}"
        case .leftByOlderRules: "旧规则留给人工处理的（完整列表：usher orders lost）："
        case .about: "涉及 {0}"
        case .repeated: "同一凭证的 {0} 次认领"
        case .duplicateSide: "{0}（{1}），Apple ID：{2}"
        case .overlap: "重叠 {0} 天"
        case .keep: "建议保留 {0}"
        }
    }
}

extension FindPhrase {
    var chinese: String {
        switch self {
        case .line: "{0}：{1}"
        case .accounts: "账号 {0}"
        case .presentedBy: "{0} 也出示过"
        case .mergedInto: "已合并到 {0}"
        case .products: "产品 {0}"
        case .entry: "账本条目 {0}"
        case .nothing:
            """
            没有以“{0}”为标识的记录 [find.nothing]
              Apple 邮件中的订单号：
                {1}
              从未到达这里的交易 ID：
                {2}
              含有已签名凭证的文件：
                usher inspect FILE
              否则：在应用中点“恢复购买”，应用会提交设备上的凭证
            """
        }
    }
}

extension FoundKindPhrase {
    var chinese: String {
        switch self {
        case .transaction: "交易"
        case .lineage: "原始交易"
        case .token: "appAccountToken"
        case .claim: "认领"
        case .grant: "授予"
        case .block: "停用"
        case .merge: "合并"
        case .ticket: "核实单"
        case .order: "订单"
        case .account: "账号"
        case .appleID: "Apple ID"
        case .lineItem: "webOrderLineItemId"
        case .appleOrder: "App Store 订单"
        }
    }
}

extension ExplainPhrase {
    var chinese: String {
        switch self {
        case .asked: "（{0}，截至 {1}）"
        case .because: "原因：{0}"
        case .stateIs: "状态：{0}"
        case .revokedAt: "{0}，由 Apple 于 {1} 处理"
        case .leftFamilyAt: "已于 {0} 被组织者移出家人共享"
        case .silentSince: "自 {0} 起未收到 Apple 的消息"
        case .becameProduct: "该订阅已由 {0} 变更为 {1}"
        case .holds: "期间不变：{0}"
        case .holdsAlways: "任何时候都是如此"
        case .source: "来自 {0}，交易 {1}，原始交易 {2}"
        case .granted: "来自人工授予 {0}"
        case .renews: "会自动续订"
        case .renewsAs: "续订为 {0}"
        case .doesNotRenew: "不会续订"
        case .retries: "Apple 正在重试扣款"
        case .graceUntil: "宽限期至 {0}"
        case .purchases: "可带来该权益的购买"
        case .noPurchases: "该账号现在和以前都没有可带来该权益的购买"
        case .notOwned: "该时刻不归此账号所有"
        case .claims: "相关认领"
        case .noClaims: "没有账号出示过这样的购买"
        case .grants: "人工授予"
        case .blocks: "账号停用"
        case .unclaimed: "此 Apple ID 上没有账号认领的付款"
        case .facts: "依据的事实"
        case .noFacts: "没有任何事实带来该权益"
        case .factTransaction: "{0}：Apple 签署了交易 {1}（{2}）"
        case .factBought: "购买于 {0}"
        case .factPaidUntil: "已付费至 {0}"
        case .factRevoked: "退款或撤销于 {0}"
        case .factSigned: "签署于 {0}"
        case .factRecorded: "记录于 {0}"
        case .factRenewal: "{0}：Apple 签署了原始交易 {1} 的续订信息"
        case .factClaimDecision: "{0}：对 {2} 的认领 {1} 作出决定：{3}"
        case .factRuling: "{0}：人工裁定：{1}"
        case .factMerge: "{0}：账号 {1} 已并入 {2}"
        case .factUnmerge: "{0}：已撤回 {1} 并入 {2} 的合并"
        case .factGrant: "{0}：人工授予 {1}：{2}"
        case .factGrantRevocation: "{0}：人工授予 {1} 已终止：{2}"
        case .factBlock: "{0}：账号已停用，停用 {1}：{2}"
        case .factOther: "{0}：其他事实"
        case .evidence: "凭证 {0}（{1}），SHA-256 {2}"
        case .wouldChange: "如何改变结果：{0}"
        case .missTime: "到 {0} 自行改变"
        case .missLiftBlock: "解除停用 {0}"
        case .missApproveClaim: "批准认领 {0}"
        case .missTransferOrWait: "由客服把认领 {0} 的购买转到此账号；或自 {1} 起再次出示（届时不再受转移限制）"
        case .missTransferClaim: "由客服把认领 {0} 的购买转到此账号"
        case .missExtendGrant: "延长人工授予 {0}"
        case .missRenew: "原始交易 {0} 续订（{1}）"
        case .missShareAgain: "购买者再次通过家人共享提供交易 {0}"
        case .missAssignAgain: "企业重新分配交易 {0} 的席位"
        case .missReverseRefund: "Apple 撤回交易 {0} 的退款"
        case .missBuy: "购买 {0}"
        case .missRefund: "交易 {0} 退款"
        case .missRevokeGrant: "终止人工授予 {0}"
        case .missBlock: "停用该账号"
        case .missPolicy: "只有修改策略：在售产品都不含此权益"
        case .missMerged: "没有：该账号已合并到 {0}，原有内容归该账号"
        case .command: "命令：{0}"
        case .orders: "会授予该权益的产品的订单"
        case .order: "订单 {0}（{1}）：{2}，创建于 {3}"
        }
    }
}

extension AdminActionPhrase {
    var chinese: String {
        switch self {
        case .granted: "已授予：{0} 可以使用 {1}，{2}（授予 {3}；终止：{4}）"
        case .creditGranted: "已授予：{0} 获得 {1}（授予 {3}；收回：{4}）"
        case .revoked: "已终止：授予 {0}（{1}，账号 {2}）"
        case .blocked: "已停用：{0}（停用 {1}；解除：{2}）"
        case .unblocked: "已解除停用：{0}（停用 {1}）"
        case .ruledFor: "已完成：{0} 归 {1} 所有"
        case .ruledNobody: "已完成：{0} 无所属账号"
        case .ruledDenied: "已完成：认领已拒绝；{0} 归 {1} 所有"
        case .merged: "已合并：{0} 并入 {1}（合并 {2}；撤回：{3}）"
        case .unmerged: "已撤回：{0} 与 {1} 的合并 {2}"
        case .policyActivated: "策略已生效：{0}"
        case .policyRolledBack: "策略 {0} 已取代 {1} 恢复生效"
        case .policyUnchanged: "策略未变：{0}"
        case .checkFolder: "运行中的策略保持不变；可用“usher policy check 文件夹”查看错误"
        case .proceed: "可以继续：{0} 可以购买 {1}"
        case .warn: "先提醒：{0} 想购买 {1}"
        case .block: "阻止：{0} 不应购买 {1}"
        case .costs: "价格为 {0}"
        case .costsEvery: "每 {1} 收费 {0}"
        case .inStorefront: "{0} 商店"
        case .storefrontUnknown: "不知道此 Apple ID 的商店"
        case .takesEffectAt: "{0} 生效"
        case .claimWouldBeBoth: "认领结果将是：{0}；若购买未带账号的令牌：{1}"
        case .claimWouldBe: "认领结果将是：{0}"
        case .owner: "属于账号 {0}"
        case .orderSettled: "已结单：订单 {0}，付款交易 {3}；{1} 拥有这笔 {2} 购买"
        case .orderGiven: "已结单：订单 {0}；{1} 已获得 {2} 的内容，以后若有付款则由付款取代（撤回：{3}）"
        case .orderRefused: "已关闭：订单 {0}；此后若仍有付款，订单将重新打开（撤回：{1}）"
        case .orderReassigned: "已完成：订单 {0} 及其付款归 {1} 所有"
        case .orderUndone: "已撤回：订单 {0} 恢复为此前的状态：{1}"
        }
    }
}

extension PolicyPhrase {
    var chinese: String {
        switch self {
        case .unchanged: "此策略正在生效"
        case .activates: "没有人会因此失去权益：它将自动取代 {0} 生效"
        case .accepted: "其 accept.yaml 已接受由此失去的内容（共 {0} 项）；它将取代 {1} 生效："
        case .waitsForPerson: "它在等待人工处理，{0} 继续有效"
        case .waits: "它可能使人失去权益，因此等待接受，{1} 继续生效（共 {0} 项）："
        case .more: "以及另外 {0} 项"
        case .otherAcceptance: "其 accept.yaml 针对的是另一个策略：{0}"
        case .howToAccept:
            "如要接受：在文件夹中放入 accept.yaml，内容为 {from: {0}, because: …, accounts_at_most: N}；或运行“usher "
                + "policy reload --reason '…' --accept-loss N”"
        case .notCounted: "正在统计会失去内容的账号"
        case .counted: "现在或以后会失去内容的账号：{0}"
        case .missingFiles: "当前策略有 {0}，而此文件夹没有"
        case .filesGone: "之前的策略有 {0}，而此策略没有"
        case .tooMany: "只接受了 {0} 个"
        case .rolledBack: "它已被“usher policy rollback”撤回"
        case .harmless: "没有账号失去任何内容，因此它将自动取代 {0} 生效"
        case .notCompared: "未与正在生效的策略比较：{0}"
        }
    }
}

extension IngestPhrase {
    var chinese: String {
        switch self {
        case .done: "已提交 {0} 条"
        case .rate: "每秒 {0} 条"
        case .left: "剩余 {0}"
        case .refusedSoFar: "拒绝 {0} 条"
        case .refused: "被拒绝 {0} 条：{1} [{2}]"
        case .keptAside: "已隔离 {0} 项：{1} [{2}]"
        case .claimDenied: "认领 {0} 项：{1} [{2}]"
        case .more: "以及另外 {0} 条"
        case .summary: "共提交 {0} 条：接受 {1} 条，隔离 {2} 条，拒绝 {3} 条；认领被拒绝 {4} 项"
        case .policyWaits: "该策略可能使账号失去权益；请在其 accept.yaml 中以“from: {0}”表示接受"
        case .stopping: "完成当前批次后停止；再次中断则立即停止"
        case .stopped: "已在第 {0} 条后停止：用同一命令加 --skip {0} 可继续；全部重新提交也无妨，已有的凭证不会重复记录"
        case .badLine: "这不是一条凭证记录"
        case .badFile: "无法读取文件"
        case .recordedAt: "导入时每条都须注明首次获知的时间（recorded_at），不得早于前一条，也不得在未来"
        case .notImported: "recorded_at 仅用于向账本导入（--ledger）"
        }
    }
}

extension LedgerPhrase {
    var chinese: String {
        switch self {
        case .verifying: "正在核对"
        case .sound: "完好：{0}"
        case .soundChain: "完好：{0}（仅核对了文件、哈希链和索引）"
        case .notSound: "不可信：{0}"
        case .looked: "条目 {0} 条；重新验证凭证 {1} 条；重新作出决定 {2} 项"
        case .otherRules: "由规则版本 {0} 作出、未重新作出的决定 {1} 项"
        case .unknownDecisions: "取决于已擦除条目、未重新作出的决定 {0} 项"
        case .erased: "内容已被擦除的条目 {0} 条；只能确认它们存在"
        case .problem: "条目 {0}"
        case .anchor: "锚点 {0}"
        case .backedUp: "{0} 已保存账本至条目 {1}"
        case .noFolder: "服务没有备份文件夹：请在其配置中设置“backups”"
        case .restored: "已由 {1} 恢复 {0}"
        case .copied: "已将 {0} 复制到 {1}，直到条目 {2}"
        case .notRestored: "{0} 不完好，未作任何恢复"
        case .newest: "最新条目"
        case .newestAt: "{0}，记录于 {1}"
        case .accounts: "账号"
        case .lineages: "购买与订阅"
        case .transactions: "交易"
        case .size: "大小"
        case .sizeWithLog: "{0}，日志 {1}"
        case .outdated: "SQLite {0} 在其他程序写入该文件时可能损坏日志；请更新"
        case .entries: "条目"
        }
    }
}

extension TicketPhrase {
    var chinese: String {
        switch self {
        case .title: "核实单 {0}：{1}"
        case .none: "没有等待 Apple 的凭证"
        case .fromFile: "从文件读取：只有服务知道何时询问 Apple"
        case .attempts: "本服务已尝试 {0} 次"
        case .next: "下次 {0}"
        case .failure: "上次尝试：{0} [{1}]"
        case .closed: "关闭于 {0}"
        case .code: "{0} [{1}]"
        case .transaction: "交易 {0}（{1}），所有者：{2}"
        case .unowned: "交易 {0}（{1}），尚无所有者"
        case .idClaimsNothing: "ID 不能为提交它的账号认领：请提交签名的交易"
        }
    }
}

extension StatusPhrase {
    var chinese: String {
        switch self {
        case .ready: "运行正常"
        case .readOnly: "只读：发生故障后不再写入；请修复后重新启动"
        case .halted: "不作任何回答：无法读取另一个节点写入账本的内容"
        case .policyUnreadable: "此版本无法读取条目 {0} 中的策略；请安装其他节点所用的版本"
        case .diskFull: "只读：账本所在磁盘已满；腾出空间后将自动恢复"
        case .version: "版本"
        case .running: "运行时间"
        case .since: "自 {0} 起（{1}）"
        case .days: "{0} 天 {1} 小时"
        case .hours: "{0} 小时 {1} 分"
        case .minutes: "{0} 分"
        case .policy: "策略"
        case .policyRejected: "策略文件夹已更改，但有错误；见“usher policy check”："
        case .ledger: "账本"
        case .kept: "条目 {0}，记录于 {1}；{2}，日志 {3}；等待写入：{4}"
        case .fleet: "集群"
        case .fleetLedger: "集群账本"
        case .fleetLeads: "“{0}”为主节点，第 {1} 次更换主节点；提交保存于 {2}"
        case .fleetFollows: "“{0}”跟随“{1}”，第 {2} 次更换主节点；提交保存于 {3}"
        case .fleetAlone: "“{0}”不知道有主节点"
        case .fleetProblem: "；既不主导也不跟随 [{0}]"
        case .fleetSince: "，按数据库在 {0} 的内容回答"
        case .noLeader: "集群中没有主导节点：查询照常回答，写入被拒绝"
        case .ledgerUnreadable: "账本无法读取"
        case .ledgerReplaced: "账本已被移动、删除、替换或被其他程序写入：请放回正确的文件，然后重新启动"
        case .clockBehind: "系统时钟落后于账本：按最新条目的时间减五分钟应答；请校正时钟"
        case .clockStepped: "启动以来系统时钟被调整超过五分钟"
        case .feedAhead: "变更流比系统时钟超前五分钟以上：在时钟赶上之前，新条目按变更流的时间记录"
        case .feedBehind: "变更流落后 {0} 秒"
        case .untoldEntries: "还有 {0} 个条目待通知，从条目 {1} 起"
        case .untoldPolicy: "正在逐个账号应用新策略"
        case .untoldTime: "已到期或已开始的变化待通知"
        case .connections: "连接"
        case .open: "query.sock {0} 个，usher.sock {1} 个"
        case .turnedAway: "已拒绝：{0}"
        case .questions: "查询"
        case .push: "推送至 {0}"
        case .linesLost: "丢失的日志行数：{0}"
        case .evidence: "凭证"
        case .judged: "启动以来接受 {0} 条"
        case .refused: "拒绝 {0} 条"
        case .unrecorded: "其中 {0} 条未留审计记录"
        case .quarantined: "隔离 {0} 条"
        case .comma: "，"
        case .waiting: "等待"
        case .nothingWaits: "没有等待 Apple 的凭证"
        case .waits: "{0} 个核实单在等待 Apple，最早的已等待 {1}"
        case .appStore:
            "有凭证在等待，但没有询问 Apple 或 Apple 没有答复：见 'usher evidence waiting'"
        }
    }
}

extension ClaimStandingPhrase {
    var chinese: String {
        switch self {
        case .accepted: "已接受"
        case .alreadyOwned: "本已归该账号"
        case .approved: "已由人工裁定批准"
        case .unknownTransaction: "尚无该笔交易的记录"
        }
    }
}

extension PlayPhrase {
    var chinese: String {
        switch self {
        case .notChecked: "{0} 项未检查"
        case .notPlayed: "{0} 步未执行"
        case .outsideStore: "{0}：未执行，不发生在 App Store 中：第 {1} 行"
        case .withoutService: "{0}：未检查，需要 --socket：第 {1} 行"
        case .notAsked: "{0}：未检查，需要 'usher policy test'：第 {1} 行"
        case .changedSince: "{0}：未检查，此后情况已变，而服务按自己的时钟答复：第 {1} 行"
        case .incomplete: "{0}：未检查，服务尚未给出全部内容：第 {1} 行"
        }
    }
}
