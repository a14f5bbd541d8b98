/// The texts of the console in Chinese.
let chineseConsoleTexts = """
    # ConsolePhrase
    home: 待处理事项
    nothingWaits: 没有待处理的事项。
    skip: 跳到正文
    parts: 控制台各部分
    find: 查找
    findLabel: 账号、交易、订单、Apple ID、认领、授予或令牌
    findHint: 账号、交易、订单……
    policy: 策略
    service: 服务
    leave: 结束会话
    accountTitle: 账号 {0}
    whyTitle: 原因：{1} 的 {0}
    sinceTitle: 从何时起：{1} 的 {0}
    timeTitle: 时间线：{0}
    creditsTitle: 点数明细：{0}
    ordersTitle: 订单：{0}
    orderTitle: 订单 {0}
    serviceGone: 服务没有应答；请稍后再试。
    sinceDay: 自 {0} 起
    justNow: 刚刚
    warnings: 服务的警告
    policyWaits: 等待接受的策略
    policyLosing: {0} 个账号会失去权益
    notAFolder: 文件夹须是 {0} 中的名称，且不以点开头
    noFolders: 启动此控制台时没有给出 --policies，因此不能为文件夹排期
    lookAtPolicy: 查看策略
    claimsWaiting: 等待裁定的认领
    claimsLater: 服务尚未读完账本；请过一分钟再看。
    claimsReview: 按现行策略会另行裁定的认领
    lostOrders: 丢失的订单与无人认领的付款
    perhapsPaid: 或由此付款：{0}
    settleWith: 以 …{0} 结清
    settlesWithout: 这会在没有付款的情况下交付。有一笔不属于任何账号的付款可能就是它的；请以它结清，否则它可能再次归入他人。
    noRights: 没有购买或获得过带来权益的内容。
    knownSince: 它的第一条记录在 {0}。
    byWhatIsKnown: 同一天，按现在所知
    knownAtHelp: 按当日所知：同事在那一天能够看到的内容。
    dayBegins: 当日 0:00 UTC：前一天是最后一天。
    mayNow: {0} 现在：
    lookAgain: 再看一次
    oneOf: 用户的说明
    refundRequests: 退款请求
    refundRequest: 退款请求 {0}
    hoursLeft: 还剩 {0}
    evidence: 凭证
    findings: 发现
    undelivered: 未送达的变更
    undeliveredChange: 发往 {1} 的变更 {0}
    drift: 与 Apple 的差异
    noReconciliation: 服务启动以来没有运行过对账。
    all: 全部 {0} 项
    look: 查看
    next: 下一页
    claimNumber: 认领 {0}
    nothingKnownThen: 到那时为止没有该账号的任何记录。
    notFound: 没有找到
    nothingFound: 没有“{0}”的任何记录。
    orderNotFound: 没有与 Apple 订单号“{0}”对应的购买记录：没有询问 Apple，或 Apple 没有此应用的该订单。
    askCustomer: 请向用户询问：
    askOrder: Apple 收据邮件中的订单号，以 M 开头
    askRestore: 请用户登录后打开应用并点按“恢复购买”：应用会提交设备上已有的购买
    askReceipt: 若应用可以导出，请用户提供收据文件或已签名的交易
    handIn: 提交凭证
    handedIn: 该凭证
    inside: 其中的内容
    wouldBeNew: 没有“{0}”的任何记录：它将是一个新账号。没有记录任何内容。
    handInForNew: 为新账号 {0} 提交凭证
    ownedNow: 归 {0} 所有
    wentTo: 归 {0}
    asksFor: 认领 {0}：{1} 要求获得 {2}
    otherAppleIDs: 两者的购买属于不同的 Apple ID：请确认是同一个人。
    otherAccounts: 同一 Apple ID 的其他账号：{0}
    onlyAccount: 没有其他账号用它购买过
    mergeInto: 将 {0} 合并到 {1}
    merged: 已合并：{0} 并入 {1}（合并 {2}）
    otherWay: 反向合并
    evidenceLabel: 收据或已签名的交易：粘贴文本，或将文件拖到此处
    evidenceAccount: 出示它的账号（如有）
    why: 完整原因
    sinceWhen: 从何时起
    customerText: 给用户的文字
    copy: 复制
    overTime: 时间线
    pictureOf: {0} 的购买与权益随时间的变化；同样的内容也有表格
    asTable: 以表格查看
    actions: 操作
    statement: 点数明细
    anotherDay: 查看另一天
    at: 截至（日期）
    knownTo: 按截至此条目所知
    knownAt: 按当日所知（日期）
    show: 查看
    effect: 这会改变什么
    showEffect: 查看会改变什么
    otherwise: 修改内容
    reason: 原因；会被记录
    reasonMissing: 需要填写原因；未执行任何操作。
    undoThis: 撤销此操作
    policyTables: 以表格查看策略给予什么、涉及多少账号
    planned: 已排期的策略
    failed: 未能完成
    unknownPage: 没有这个页面
    enter: 进入控制台
    enterText: 现在使用链接中的代码；它只能使用一次。
    refused: 未予应答
    wrongHost: 这不是控制台的地址；请使用它打印的链接。
    crossSite: 请求来自另一个网站；控制台只应答自己的页面。
    wrongMethod: 控制台只接受 GET 和 POST。
    noSession: 没有会话，或会话已结束；请重新运行“usher console”。
    left: 会话已结束
    leftText: 此处不能再查看或操作；运行“usher console”会给出新的链接。
    wrongToken: 此表单不属于当前会话；请重新打开页面。未执行任何操作。
    stranger: 代理没有指明在此拥有角色的人。
    wrongCode: 代码已被使用，或已超过一分钟；请重新运行“usher console”。
    open: 请在一分钟内打开 {0}（Ctrl-C 结束控制台）
    serving: 控制台正在 {0} 提供服务
    cannotListen: 无法监听 {0}
    # ActionPhrase
    approve: 批准
    refuse: 拒绝
    transfer: 转移
    release: 释放
    undo: 撤销
    give: 归入一笔付款
    settle: 结清
    close: 关闭
    reassign: 改派
    grant: 授予
    revoke: 收回
    block: 封停
    unblock: 解除封停
    merge: 合并
    closeAccount: 关闭账号
    reopen: 重新开放
    unmerge: 撤销合并
    erase: 擦除
    thaw: 解冻点数
    reverse: 退还点数
    consent: 退款信息授权
    consentGiven: 已同意
    consentWithdrawn: 已撤回同意
    answered: 标记为已答复
    resend: 重新发送
    discard: 丢弃
    accept: 接受并启用
    rollBack: 回退
    schedule: 排期
    unschedule: 取消排期
    # CustomerPhrase
    active: 您的权益有效，无需任何操作。
    activeUntil: 您的权益有效期至 {0}。
    renews: 您的订阅有效，将于 {0} 续订。
    paymentFailed: Apple 未能从您的付款方式扣款，因此您的权益已于 {0} 中止。请在“设置”>您的姓名>“付款与配送”中更新付款方式；扣款成功后权益会自动恢复。
    ended: 您的订阅已于 {0} 结束且未续订。您可以随时在应用中重新订阅。
    gaveUp: Apple 未能为 {0} 的续订从您的付款方式扣款，重试一段时间后于 {1} 停止；您的权益已在此期间中止。您可以随时在应用中重新订阅。
    refunded: Apple 已为此购买退款，因此自 {0} 起它不再提供权益。如果退款不是您申请的，请确认还有谁在使用您的 Apple ID。
    startsLater: 您的权益将于 {0} 开始。
    blocked: 此账号的使用已被暂停。请回复我们，我们会与您一起查明原因。
    beingChecked: 您恢复的购买目前属于另一个账号。我们正在核实，并会通知您结果。
    otherAccount: 您恢复的购买正被本应用的另一个账号使用。请使用最初购买时的账号登录。如果两个账号都是您的，请回复我们，我们可以转移该购买。
    giftEnded: 我们赠送给您的权益已于 {0} 结束。
    moved: 此购买已转移到本应用的另一个账号。请使用那个账号登录。
    family: 通过家人共享与您共用此购买的人已停止共享。
    seat: 您所在的机构已不再将此订阅分配给您。请联系其管理员。
    nothingBought: 我们没有找到此账号的购买。如果您已付款，请在登录了付款所用 Apple ID的设备上打开应用，并点按“恢复购买”。
    merged: 您的账号已与您的另一个账号合并；请使用那个账号登录。
    other: 我们已查看您的购买，稍后会回复您。
    """
