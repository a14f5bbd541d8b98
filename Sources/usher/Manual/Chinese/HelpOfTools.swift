extension ChineseHelp {
    /// Of the commands about evidence, policies, Apple's servers and the ledger.
    static let tools = """
        ## ingest
        向正在运行的服务提交凭证。
        一个文件含一项凭证；名称以 .jsonl 结尾时为 JSON 行 {"account", "order", "moment", "imported", \
        "environment", "verify", "payload" 或 "file"}。从文件夹读取以 .jws、.json、.der 或 .base64 \
        结尾的文件。保存为文件的 App Store Server API 的答案（历史、通知历史、交易、状态）会被拆开。\
        最后的报告列出哪些被拒绝及其原因，哪些被隔离（真实但不可能，记录而不生效），\
        以及哪些认领被拒绝；使用 --json 时最后一行为 {"summary": {"submitted", "accepted", \
        "claims_denied", "quarantined", "refused"}}。
        中断后用 --skip 继续。重复提交同一凭证没有害处。
        verifyReceipt 的存档答案由管理员用 --imported 或行中的 "imported": true 提交：它们没有签名，\
        也从不取代有签名的。iOS 6 的答案不含环境，由 --environment 或行中的 "environment" 说明。
        导入历史时，使用 --ledger 和 --policies，并在每行写 "recorded_at"，即首次得知的时刻：\
        不早于上一行和账本最后一个条目的时刻。认领按该时刻判断。
        退出码：0 全部接受，1 部分未接受，2 失败或中断。
        ## evidence
        列出等待 Apple 的凭证，并显示结果。
        ## evidence waiting
        列出等待 Apple 的凭证，最早的在前。
        每张核实单都打印查询什么、为谁、从何时起、本服务已问过几次、下次何时问，以及上次为何没有结果。\
        会自动再次询问 Apple。退出码：0 没有等待的，1 有，2 没有答案。
        ## evidence show
        显示核实单：是否在等待 Apple，以及结果如何。
        退出码：0 已找到，1 没有这个编号的核实单，2 没有答案。
        ## inspect
        不用账本，解码并验证凭证。
        保存为文件的 App Store Server API 的答案会被拆开。应有的应用和环境取自策略文件夹，\
        或取自 --bundle-id 和 --environment。退出码：0 全部接受，1 部分被拒绝或隔离，2 无法读取。
        ## policy
        检查、测试、比较、显示、重新载入和安排策略文件。
        ## policy check
        报告策略文件夹的全部错误和警告。
        末尾概述读到的内容。若服务正在运行，还会说明该文件夹在那里会怎样：生效，\
        或因有人会失去内容而等待接受，以及多少账号会失去或得到什么。\
        退出码：0 有效，1 有错误（使用 --strict 时也包括警告和会等待的文件夹），2 失败。
        使用 --fix 时，以差异显示只有一种修法的错误会怎样修正，不作改动；\
        使用 --fix --write 时在文件中修正。有几种修法的，列出选择由你决定。退出码按修正后的文件而定。
        ## policy explain
        解释诊断或待关注事项的标识、键，或策略中有名称的内容。
        诊断：含义、示例及其改正。待关注事项或策略文件的键：含义。规则：它能决定什么，以及先于它尝试的规则。产品：在每种状态下给予什么，\
        依据哪些规则。权益或点数：由什么给予。组或级别：其产品，以及提到它的规则。\
        退出码：0 已解释，1 策略有错误，2 未知。
        ## policy test
        运行策略文件夹的用例，并检查期望。
        用例说明用户做什么，以及此后什么必须成立：写法见 docs/STORIES.md，--list-steps 列出全部句子。\
        用例是策略的 tests 文件夹中的 YAML 文件，不含 tests/policies。每个用例以模拟 App Store 签名的凭证\
        在引擎中运行，有自己的时钟，所用账本之后删除。\
        退出码：0 全部通过，1 有用例失败、没有用例或覆盖率低于 --fail-under，2 失败。
        ## policy diff
        显示更改策略后谁会得到和失去什么。
        使用 --ledger 或 --live 时，对持有有变化产品的每个账号，按两份策略分别推导现在和今后 30 天\
        （或 --days 所指天数）。列出的内容以今天所知为准：不假设将来的续订。\
        --accounts 列出每个账号会失去或得到什么、从何时到何时，以及最近支付了什么；文件要么完整写出，要么不写。
        否则只比较两份策略：规则给予更多或更少的每个产品、权益和状态，各附最小的示例和权益在那里持续多久；\
        以及 account_switch 裁定不同的每项认领，这不算失去：已拥有的仍然拥有。\
        退出码：0 已比较，1 使用 --fail-on-loss 且有人会失去内容，2 失败。
        ## policy show
        显示策略给予什么、由哪些规则决定、出售什么，以及哪些内容有日期。
        表格的每一格按顺序列出在该处决定某种情形的规则，包括内置规则。\
        退出码：0 已显示，1 文件夹有错误，2 失败。
        ## policy schema
        打印策略文件的 JSON Schema，供编辑器使用。
        ## policy reload
        使正在运行的服务立即重新载入策略文件夹。
        文件夹最后一次更改一秒后，服务会自行重新载入。有错误的文件夹不改变任何东西；有人会因此失去内容的，\
        会等到其 accept.yaml 或 --accept-loss 接受同样多的损失。退出码：0 已生效，1 被驳回或等待，2 失败。
        ## policy rollback
        使前一份策略重新生效。
        文本取自账本，立即生效而不作比较。服务的文件夹不变：它会等到有更改，\
        或由人用 usher policy reload --accept-loss 接受。重复执行会再退回一份。\
        退出码：0 已生效，1 没有更早的策略，2 失败。
        ## policy schedule
        使正在运行的服务在指定时刻启用策略文件夹。
        文件夹的文本发送给服务并记录；以后对文件夹的更改没有影响。服务会检查它，并与届时生效的策略比较：\
        若有账号在今天或那一时刻会失去内容，只有 accept.yaml 或 --accept-loss 接受同样多时才会安排。\
        到期时再做一遍；然后生效或被拒绝。接受的损失只对所比较的那份策略有效。\
        退出码：0 已安排，1 未安排，2 失败。
        ## policy scheduled
        列出已安排的策略，以及以前安排的结果。
        每项列出：何时到期、由谁安排及原因、可能取走什么、今天会有多少账号因此失去内容，以及是否会生效。\
        退出码：0 全部会生效，1 有一项不会，2 没有答案。
        ## policy unschedule
        撤回已安排的策略。
        它不会生效。退出码：0 已撤回，1 它不在等待，2 失败。
        ## policy lsp
        策略文件的语言服务器：由编辑器启动。
        在标准输入和输出上使用 Language Server Protocol 3.17；标准错误为日志。\
        边写边检查每个打开的策略文件所在的文件夹，并提供补全、解释、跳到定义和修正。消息的语言为编辑器的语言，\
        否则为 LANG 的语言。见 docs/EDITORS.md。退出码：0 在 shutdown 之后，1 未经 shutdown 结束。
        ## reconcile
        将账本与 Apple 比较，补上缺少的内容，并报告差异。
        正在运行的服务向 Apple 查询每个用户，风险最高的在前，并比较 Apple 的通知历史。\
        缺少的内容作为凭证补上，不为任何人认领。中断的运行会继续；--from-start 从头开始。\
        --dry-run 同样报告而不写入。--json 每处差异打印一行，最后为概述：\
        {"reconciliation": {…}}。Ctrl-C 结束等待，而不是结束运行。
        --plan 打印使所有用户保持一致所需的代价，不询问 Apple；使用 --ledger 时读取文件。
        退出码：0 没有差异，1 有差异，2 未能全部比较。
        ## simulate
        以自己的根证书，像 App Store 那样签名和应答。
        ## simulate play
        演示一个购买的用例，并为所得的凭证签名。
        --out 为每项凭证写一个文件，另有要信任的 root.pem 和 receipt-root.pem，\
        以及供 usher ingest 使用的 evidence.jsonl。--socket 按顺序把一切提交给正在运行的服务：设备出示的连同其账号，\
        Apple 发送的作为通知；然后在服务自己的时钟允许的范围内，检查用例对权益、余额、所属账号、认领、预检、\
        待关注事项、订单、退款请求和变化的期望。未演示或未检查的内容列在标准错误上。\
        种子相同则根证书相同，但收据的根证书不同。\
        退出码：0 已演示，1 有凭证被拒绝或隔离，或有期望不符，2 失败。
        ## simulate serve
        通过 HTTP 提供模拟的 App Store，供任何后端测试。
        在 /production 和 /sandbox 下应答 App Store Server API 和 verifyReceipt，向 --notify 发送通知，\
        并在 /box 下接受控制调用：全部见 docs/BOX.md。出售 --policies 的应用所出售的，或 --play 的，\
        否则为 --bundle-id 的应用的几种产品。--out 写出要信任的 root.pem 和 receipt-root.pem、\
        AuthKey.p8 和 settings.json。--keys 也写出这些，下次运行用相同的密钥签名，且不重复给出标识；\
        否则每次运行的收据有新的密钥。种子和调用相同则答案相同，收据除外。能访问该地址的任何人都能控制它：\
        除非 --listen 另有指定，只在本机监听。SIGTERM 和 SIGINT 使其停止。退出码：0 已停止，2 无法启动。
        ## app-store
        向 Apple 的服务器查询，或在那里更改内容。
        使用 usher serve 的 app-store.* 设置：取自 --config 或环境变量（USHER_APP_STORE_KEY_FILE……）。\
        Apple 签名的内容会像 usher inspect 那样验证并打印；不作任何记录。
        ## app-store show
        显示 Apple 的服务器所知的用户、交易或订单。
        用户以其任一交易 ID、原始交易 ID 或应用交易 ID 指定：statuses 显示全部订阅的情况，\
        history 显示全部交易，最早的变化在前，refunds 显示所有已退款的交易，app-transaction 显示应用交易。\
        transaction 显示一笔交易，order 查询账单上的订单号，仅限生产环境。history 末尾为 revision；\
        使用 --after 时只显示此后新增或改变的。退出码：0 已找到或有效，1 未知、不是该应用的订单或不真实，2 没有答案。
        ## app-store notifications
        显示 Apple 发送的通知，以及发送结果。
        Apple 在生产环境保留 180 天，在沙盒环境保留 30 天。--transaction 与 --type 不能同时使用。\
        退出码：0 已找到，1 被驳回或不真实，2 没有答案。
        ## app-store test-notification
        请 Apple 发送测试通知，或查看其结果。
        退出码：0 已请求或已找到，1 被驳回、未知或不真实，2 没有答案。
        ## app-store extend
        延长一个订阅的续订日期。
        没有答案时不会再次发送：用 usher app-store show statuses 查看是否已完成。\
        退出码：0 已延长，1 被驳回、未知或未延长，2 没有答案。
        ## app-store extend-all
        延长一个产品全部有效订阅者的续订日期。
        请指定店面，或说明是全部店面。没有答案时不会再次发送：用 usher app-store extend-status 查询。\
        退出码：0 已请求，1 被驳回，2 没有答案。
        ## app-store extend-status
        显示为全部订阅者延长的进度。
        退出码：0 已找到，1 未知，2 没有答案。
        ## app-store finish
        代替应用完成一笔交易。
        已完成的交易不会再出示给应用：请先交付。退出码：0 已完成，1 被驳回或未知，2 没有答案。
        ## app-store set-account-token
        设置购买的 appAccountToken，从现在起生效。
        不适用于家人共享和已分配的交易。退出码：0 已设置，1 被驳回或未知，2 没有答案。
        ## app-store consumption
        在 Apple 决定退款之前，告知购买已使用了多少。
        用户必须已同意。Advanced Commerce 的购买使用此调用的第一版：含其数值的 JSON 文件，\
        如 {"deliveryStatus": 1, "platform": 1, "sampleContentProvided": true}；未写的即未说明。\
        退出码：0 已发送，1 被驳回或未知，2 没有答案。
        ## ledger
        验证、备份、恢复、复制、统计和导出账本文件。
        ## ledger verify
        检查账本是否完整、未被更改且一致。
        检查文件、哈希链和索引；按当时的策略重新验证全部凭证，将每个事实与其凭证比较，\
        并重做按本版本规则作出的每个决定。最后一行是锚点，请另行保存：只有用 --anchor \
        才能发现被截断或完全重写的账本。集群的数据库（--ledger database:FILE）\
        先复制到 TMPDIR 中的临时文件。退出码：0 完好，1 不完好，2 失败。
        ## ledger backup
        复制账本，无论是否在使用；副本完整并已同步到磁盘。
        指定文件名时直接复制账本文件，或集群数据库中的内容（--ledger database:FILE）；从不覆盖已有的文件。\
        否则请正在运行的服务在其备份文件夹（设置 backups）中复制，并说明原因。\
        打印的锚点请另行保存，供 usher ledger verify 使用。旁边的首部文件表明账本缺少已确认的条目时不复制。\
        退出码：0 已完成，1 因此未复制，2 失败。
        ## ledger restore
        从备份恢复账本。
        先检查备份（文件、哈希链、索引）；损坏的备份不会恢复。从不替换已有的账本：请把它移开，\
        连同旁边名称以它开头的文件。退出码：0 已完成，1 备份已损坏，2 失败。
        ## ledger copy
        把账本从文件复制到集群的数据库，或反过来。
        两者之一是账本文件，另一个是 database:FILE，其中 FILE 含数据库地址且只有所有者可读；或为 database:，\
        地址在 USHER_FLEET_DATABASE 中。先验证账本，完成后两边的最后条目和哈希相同。复制到数据库：\
        请先停止服务；中断的复制会从中断处继续。复制到文件：该文件不能已存在。\
        退出码：0 已完成，1 账本已损坏，2 失败。
        ## ledger stats
        统计账本的条目，并测量其文件。
        读取文件，无论服务是否在运行。集群的数据库（--ledger database:FILE）按内容相同的文件测量。
        ## ledger export
        把账本的每个条目打印为一行 JSON。
        每行一个对象：sequence、recorded_at、kind 和 entry，Apple 的字段用 Apple 的名称，时刻都写成日期；\
        种类见 docs/LEDGER.md。把最后的 sequence 传给 --after 可在以后继续。内容已抹去的条目不打印。\
        集群的数据库（--ledger database:FILE）按内容相同的文件导出，逐字节相同。
        """
}
