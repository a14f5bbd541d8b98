internal import ArgumentParser
internal import EntitlementModel
internal import PolicyTools

/// What commands say of themselves in Chinese. In English they say it beside their code.
enum ChineseHelp {
    /// By the words that lead to a command, without the program: its sentence, then paragraphs.
    static let commands: [String: [String]] = {
        var commands: [String: [String]] = [:]
        for record in (questions + "\n" + tools).split(separator: "##") {
            let lines = record.split(separator: "\n", omittingEmptySubsequences: false)
            commands[String(lines[0].trimmingSpaces)] = lines.dropFirst()
                .filter { !$0.isEmpty }.map(String.init)
        }
        return commands
    }()

    /// What an argument or an option is about, by its name; before that, the command or the group of
    /// commands that it is of, where others take another of that name.
    private static let texts = Dictionary(
        uniqueKeysWithValues: parameters.split(separator: "\n").map { line in
            let sides = line.split(separator: " = ", maxSplits: 1)
            return (sides[0], sides[1])
        })

    /// Nil where the table has none.
    static func text(of parameter: CommandHelp.Parameter, of command: CommandHelp) -> String? {
        let names = parameter.names.isEmpty ? ["<\(parameter.valueName)>"] : parameter.names
        for count in stride(from: command.path.count, to: 0, by: -1) {
            let words = command.path[1..<count]
            for name in names {
                let key = (words + [name]).joined(separator: " ")
                if let text = texts[key[...]] { return String(text) }
            }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " } }
}

extension CommandHelp {
    /// The command below this one that the words lead to, as far as they do.
    func command(at words: some Sequence<String>) -> CommandHelp {
        var command = self
        for word in words {
            guard let next = command.commands.first(where: { $0.path.last == word }) else { break }
            command = next
        }
        return command
    }

    /// What it says in Chinese: nil where the table has nothing.
    var chinese: [String]? { ChineseHelp.commands[path.dropFirst().joined(separator: " ")] }

    /// How it is typed, as the parser has it.
    var typed: String {
        var type: any ParsableCommand.Type = Usher.self
        for word in path.dropFirst() {
            let next = type.configuration.subcommands.first { $0._commandName == word }
            guard let next else { break }
            type = next
        }
        return Usher.usageString(for: type)
    }

    /// As `--help` shows it, in lines of at most so many columns.
    func chinesePage(columns: Int) -> String {
        func line(_ phrase: UsagePhrase, _ values: String...) -> String {
            phrase.filled(with: values, in: .chinese)
        }
        let texts = chinese ?? [abstract]
        var lines = line(.overview, texts[0]).wrapped(to: columns)
        for paragraph in texts.dropFirst() { lines += [""] + paragraph.wrapped(to: columns) }
        if let example = paragraphs.last(where: { $0.hasPrefix(UsagePhrase.example.english) }) {
            let use = example.dropFirst(UsagePhrase.example.english.count)
            lines += ["", UsagePhrase.example.template(in: .chinese) + use]
        }
        lines += ["", line(.usage, typed)]
        let parts: [UsagePhrase: [Parameter]] = [
            .arguments: parameters.filter(\.names.isEmpty),
            .options: parameters.filter { !$0.names.isEmpty },
        ]
        for phrase in [UsagePhrase.arguments, .options] {
            let parameters = parts[phrase] ?? []
            if parameters.isEmpty { continue }
            lines += ["", phrase.template(in: .chinese)]
            for parameter in parameters {
                var text = ChineseHelp.text(of: parameter, of: self) ?? parameter.text
                if !parameter.values.isEmpty {
                    text += line(.values, parameter.values.joined(separator: "、"))
                }
                if let standard = parameter.standard { text += line(.standard, standard) }
                lines += Self.row(parameter.typed, text, columns: columns)
            }
        }
        if !commands.isEmpty {
            lines += ["", UsagePhrase.subcommands.template(in: .chinese)]
            for command in commands {
                let text = command.chinese?.first ?? command.abstract
                lines += Self.row(command.path.last ?? "", text, columns: columns)
            }
            lines += ["", "  " + line(.seeHelp, path[0])]
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ lead: String, _ text: String, columns: Int) -> [String] {
        let start = 26
        let texts = text.wrapped(to: max(columns - start, 20))
            .map { String(repeating: " ", count: start) + $0 }
        let first = "  " + lead
        guard first.columns + 2 <= start else { return [first] + texts }
        return [first.padded(to: start) + texts[0].dropFirst(start)] + texts.dropFirst()
    }
}

extension CommandHelp.Parameter {
    /// `-q, --quiet`, `--at <date>`, `<account>`.
    var typed: String {
        let value = kind == .flag ? nil : "<\(valueName)>"
        return [names.joined(separator: ", "), value ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension ChineseHelp {
    /// Of the program, the service, and the commands that ask.
    static let questions = """
        ##
        谁能使用什么，以及为什么：由 App Store 购买得出的权益。
        退出码：0 是或已完成，1 否，2 没有答案，64 用法错误。
        环境变量：USHER_SOCKETS 是服务套接字所在的文件夹；USHER_LEDGER 是没有服务应答时读取的账本。\
        NO_COLOR 关闭颜色。LANG=zh 选择中文。
        补全：usher --generate-completion-script bash（或 zsh、fish）打印供 shell 加载的脚本。
        ## serve
        在两个套接字上运行服务。
        设置依次取自命令行选项、环境变量（USHER_LEDGER、USHER_POLICIES、USHER_SOCKETS……）\
        和 --config 指定的 YAML 文件；--print-config 列出全部设置。SIGTERM 和 SIGINT 使服务正常停止；\
        SIGHUP 重新载入策略文件夹。退出码：2 无法启动；3 账本不是先前所服务的那一个，\
        或正被使用：须先有人查看，否则再启动也不会成功。
        ## check
        查询账号能否使用某项权益。
        向正在运行的服务查询。使用 --ledger 时改为读取账本文件，无论服务是否在运行。
        ## show
        显示账号的全部已知情况。
        列出权益、购买及其所属账号、订单、余额、人工授予、停用、认领和待关注事项。\
        向正在运行的服务查询；使用 --ledger 时改为读取账本文件。
        ## explain
        说明账号为什么能或不能使用某项权益。
        列出起决定作用的规则及其文件和行号、购买与认领、事实及其凭证和日期，\
        以及会改变答案的最小变动。退出码与 check 相同：0 是，1 否。
        ## history
        显示一个答案如何随所得知的情况而改变。
        问题不变，始终关于同一时刻；改变的是对它所知的情况。从最新的开始，打印使答案改变的每个条目和策略。\
        使用 --first-wrong 时指出自何者起答案不再是所期望的；此时退出码为 1，与期望相符时为 0。
        ## replay
        重新得出已保存的权益答复，并与之比较。
        从文件或标准输入读取一个答复的 JSON，按给出该答复时的条目重新提出同一问题。\
        以 replayable=true 或 usher check --json --replayable 得到的答复含有 as_of，已说明所需的一切；\
        其他答复须用 --account 和 --at 说明。退出码：0 相同，1 不同，\
        2 没有答案，或答复不同且并非依据本程序的规则。
        ## find
        查明一个标识是什么，以及它通向哪里。
        标识可以是交易、原始交易、订单、授予、停用或账号的标识，webOrderLineItemId，\
        Apple ID 的任一标识，appAccountToken，或认领、合并的编号。Apple 邮件中的订单号，\
        在已配置时由服务向 Apple 查询。每种含义打印一行，并列出拥有它和出示过它的账号。\
        退出码：0 已找到，1 未找到，2 没有答案。
        ## findings
        列出待关注事项：应由人查看的情况。
        指定账号时，列出在所问时刻尚未解决的事项；--past 也包括已解决的。不指定账号时，\
        列出整个账本中目前尚未解决的事项，按种类排列，最早的在前。\
        退出码：0 没有待关注事项，1 有。
        ## credits
        显示、花费、预留和退还账号的点数。
        不带其他词时即为 credits show。
        ## credits show
        显示账号的点数余额和每一笔变动。
        向正在运行的服务查询；使用 --ledger 时改为读取账本文件。--statement 在每笔之后列出余额；\
        加上 --from 和 --until 时只列这段时间的变动，并有期初和期末余额。
        ## credits spend
        花费账号的点数。
        所列的要么全部花费，要么都不花费。退出码：0 已花费，1 未花费：余额不足，或已冻结、停用。
        ## credits hold
        为将要发生的花费预留账号的点数。
        预留的点数不能另作他用。预留会自行结束，最长 30 天。
        ## credits capture
        花费预留的点数，或其中一部分。
        其余部分重新可用。
        ## credits release
        结束预留；不花费任何点数。
        ## credits reverse
        退还一笔花费中的点数。
        退还总数不会超过该笔花费。此间已到期的部分立即到期。
        ## credits thaw
        使因退款而冻结的点数可以重新花费。
        解除目前的冻结；再次退款会再次冻结。
        ## claims
        列出对购买的认领，并由人工决定。
        ## claims list
        列出等待决定的认领，或账号的全部认领。
        ## claims review
        列出按当前策略今天会有不同裁定的认领。
        被拒绝或等待中的认领，按现在再次提出来判断；已接受的，按今天的策略和当时已知的情况判断。\
        不作任何改动：每项认领后打印的命令才会应用。由人作出的决定不列出。\
        最先列出旧规则留给人工处理的：无所属账号的付款，以及审核中的订单。\
        退出码：0 没有，1 有，2 没有答案。
        ## claims approve
        把等待中的认领所涉的购买给予认领的账号。
        对同一购买的其他等待中的认领会被拒绝。
        ## claims refuse
        拒绝等待决定的认领。
        ## claims transfer
        把认领所涉的购买转给认领者或其他账号。
        现在生效；原所属账号此前拥有的不变。
        ## claims give
        把无所属账号的付款给予账号。
        不需要认领。归其他账号所有的，用 claims transfer 转移。
        ## claims release
        使认领所涉的购买不再归任何账号所有；下一个认领可以拥有它。
        使用 --account 时，多个所属账号中只有一个失去它，其他的保留。失去它的账号只有主动请求才能再得到：\
        通知和设备的列表都不会使它得到。
        ## claims undo
        撤销最近一次改变购买所属账号的决定。
        可以是该认领自己的决定，也可以是一项裁定；若属于另一认领，答案会指出。现在生效，\
        且仅当此后所属账号没有再变。失去购买的账号只有通过另一项裁定才能再得到。
        ## orders
        列出订单，找出丢失的订单，并由人工决定。
        ## orders list
        列出账号的订单，最新的在前。
        打印标识、产品、数量、状态、下单时间和付款。
        ## orders show
        显示订单、它的经过，以及接下来能做什么。
        退出码：0 已找到，1 没有这个标识的订单，2 没有答案。
        ## orders lost
        列出应由人查看的订单。
        已付款未交付、已开始而无结果、审核中、交付后退款、无账号认领的付款等。\
        可能自行解决的，超过 pay_within 之后才列出。持续最久的在前。打印原因、时长、金额、账号、\
        交易、该做什么和下一条命令。退出码：0 没有，1 有，2 没有答案。
        ## orders states
        列出订单在每种状态下可能发生的事，以及之后的状态。
        其他一切都会被驳回。既不需要服务，也不需要账本。
        ## orders settle
        人工交付订单：凭一笔付款，或在付款之前先交付。
        使用 --transaction 时，订单的账号得到该笔付款的购买。否则账号得到产品给予的内容；\
        以后到来的付款会取代它，因此只交付一次。
        ## orders refuse
        关闭不再有人等待的订单。
        若付款仍然到来，订单会重新打开。已交付或已给予的保持不变，已退款的仍为已退款：\
        它们不再列为丢失的订单。
        ## orders reassign
        把尚未交付的订单转给另一个账号。
        从现在起，该订单的付款归另一个账号。
        ## orders undo
        撤销对订单的最近一次裁定。
        仅当此后订单没有再发生任何事。用来处理订单的购买回到原所属账号。
        ## refunds
        列出 Apple 询问的退款，以及给 Apple 的答复。
        ## refunds list
        列出 Apple 仍接受答复的退款请求。
        Apple 在十二小时内接受答复。每项都打印将如何答复 Apple、依据哪条规则，或为何不答复。\
        退出码：0 没有，1 有，2 没有答案。
        ## refunds show
        显示退款请求，以及由人答复它的命令。
        退出码：0 已找到，1 不是退款请求，2 没有答案。
        ## refunds preview
        显示策略对以往的退款请求会如何答复。
        按答复统计账本中的全部请求（假设用户都已同意），并列出最新的。使用 --policies 时，\
        在服务旁边用账本试验一个文件夹。退出码：0 已完成，2 没有答案。
        ## refunds consent
        记录用户是否允许把使用情况告知 Apple。
        没有同意就不会向 Apple 告知该账号退款的任何情况。原因写明用户在何处表示。
        ## refunds answered
        记录已由人答复 Apple，或决定不答复。
        服务不再答复该请求。
        ## changes
        列出变化：权益、所属账号、余额、待关注事项、订单。
        按编号顺序每个变化打印一行；使用 --json 时每行一个对象。--after 接受编号或变化的 cursor。\
        --follow 继续打印此后的变化，直到被中断。向正在运行的服务查询；使用 --ledger 时改为读取账本文件，\
        以服务已告知的变化为限。退出码：0 已全部打印，2 没有答案。
        ## changes undelivered
        列出推送订阅，以及没有接收方收下的变化。
        列出设置中每个订阅的进度和等待的原因，以及多次尝试后放弃的每个变化：docs/PUSH.md。\
        向正在运行的服务查询。退出码：0 已全部送达，1 有等待或放弃的，2 没有答案。
        ## changes resend
        再次发送一个已放弃的变化，或一个订阅的全部。
        不按顺序发送一次；若失败仍为未送达。退出码：0 将会发送，1 没有这个订阅或变化，2 没有答案。
        ## changes discard
        从列表中删去一个已放弃的变化，或一个订阅的全部。
        不再发送给任何人；变更流中仍有。由谁、为何删去，由 usher changes undelivered 列出。\
        退出码：0 已删去，1 没有这个订阅或变化，2 没有答案。
        ## grant
        人工授予账号权益或点数。
        使用 --id 时，重复执行命令不会重复授予。
        ## revoke
        提前终止人工授予。
        ## block
        停用账号，直到其所有停用都被解除。
        停用会停止账号拥有的一切，或只停止 --entitlement 和 --credit 指定的权益和点数。\
        使用 --id 时，重复执行命令不会产生第二项停用。
        ## unblock
        解除账号的停用。
        ## close
        关闭账号，直到重新开放。
        已关闭的账号不再认领、消费或下单，无论 Apple 或应用为它提交什么。\
        其权益终止还是保留，由策略的 closed_accounts 决定。不删除任何内容，也不取消 Apple 处的订阅。
        ## reopen
        重新开放已关闭的账号。
        ## merge
        合并两个账号。
        从现在起，第一个账号拥有的一切都归第二个：购买、人工授予、余额和认领；第一个账号以后得到的也一样。\
        使用 --up-to-now 时只包括此前购买或下单的：若第一个标识属于设备，\
        以后的购买归下一位访客。账号从不自动合并。
        ## unmerge
        撤销两个账号的合并。
        现在生效；合并之后改变过所属账号的购买不变。
        ## erase
        永久擦除一个账号。
        只涉及该账号的内容连同并入它的账号一起消失；也涉及他人的内容保留，但不再有其名称。不会取消任何订阅：\
        --preview 显示哪些订阅会继续。--hold 期间账号关闭，reopen 可取消；此后不可撤销。编号会保留，不得写明本人；\
        原因不保留。没有 --hold 时，以及对已按此编号擦除的账号，打印一份不含个人信息的证明。
        ## preflight
        付款前检查购买。
        退出码：0 继续，可能先有提醒；1 不要继续。
        ## catalog
        列出应用出售的产品，如某个账号所见。
        打印标识、标题、价格、账号已有的内容和预检的答案。账号的客户端报告为商店中无效的产品不列出，\
        在末尾注明。
        ## timeline
        画出账号的购买、其状态与所属账号，以及账号的权益随时间的变化。
        在终端上画图；输出到管道时打印表格，每行一个时段。向正在运行的服务查询；\
        使用 --ledger 时改为读取账本文件。
        ## status
        打印正在运行的服务的状态。
        退出码：0 正常，1 需要处理（不接收凭证，或更改后的策略被驳回），2 没有服务应答。
        ## console
        提供控制台：在浏览器中查看、理解和处理的页面。
        以您的身份向正在运行的服务查询，监听 127.0.0.1，并打印带有代码的链接，代码须在一分钟内使用，且只能使用一次。\
        使用 --behind-proxy 时改为监听套接字，由代理指明访问者；他们的角色写在 --roles 的文件中。
        ## version
        打印程序及其三份约定的版本。
        """
}

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
        ## policy waiting
        显示等待接受的策略：谁会得到和失去什么。
        策略等待时由服务统计；统计完成之前，命令会说明进度。退出码：0 没有等待的，1 有等待的，2 没有答案。
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
        才能发现被截断或完全重写的账本。用 --against 会列出擦除清单中在此仍有内容的每个条目。集群的数据库（--ledger database:FILE）\
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
        连同旁边名称以它开头的文件，但保留擦除清单（.erasures）。该清单或 --against 所给清单列出、\
        而备份中仍有的内容会再次擦除；这需要密钥（USHER_PRIVACY_KEY_FILE）。\
        退出码：0 已完成，1 备份已损坏，2 失败。
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
        ## ledger key
        在新文件中生成擦除所需的密钥。
        文件权限为 0600，从不替换已有的文件。请写入设置 privacy.key-file，并与账本及其备份分开保存：\
        见 docs/PRIVACY.md。不打印其内容。
        """
}

extension ChineseHelp {
    /// Of arguments and options. Those of a command, or of a group of commands, that mean something
    /// else there are named with it.
    static let parameters = """
        <account> = 账号。
        console --port = 127.0.0.1 上的端口；缺省为任一空闲端口。
        console --behind-proxy = 监听此套接字，供指明访问者的代理使用。
        console --roles = YAML 文件，写明代理可能指明的每个名称的角色。
        console --host = 代理被请求时所用的主机名；可以重复。
        console --policies = 可供排期的策略文件夹所在的文件夹。
        console --name-header = 代理用来指明访问者的请求头字段。
        claims give <account> = 得到它的账号。
        claims list <account> = 账号；缺省为全部等待中的认领。
        orders reassign <account> = 得到它的账号。
        preflight <account> = 将要购买的账号。
        <accounts> = 账号；缺省为整个账本。
        <backup> = 备份。
        <block> = 停用，如 block 和 show 所打印。
        <claim> = 认领的编号，如 claims list 和 explain 所打印。
        <copy> = 副本；缺省由服务制作。
        <credit=units> = 点数：要么全部，要么都不。
        credits capture <credit=units> = 其中多少；缺省为全部。
        credits reverse <credit=units> = 其中多少；缺省为剩余的全部。
        <credit> = 点数。
        <entitlement> = 权益。
        <file> = 用例；写法见 docs/STORIES.md。
        replay <file> = 答复；缺省为标准输入。
        <files> = 各含一项凭证的文件；- 为标准输入。
        <folder> = 策略文件夹。
        policy explain <folder> = 策略文件夹；缺省为 policies。
        <folders> = 之前和之后的策略文件夹；前者缺省为当前策略。
        <from> = 要合并的账号。
        ledger copy <from> = 要复制的账本。
        <grant> = 授予，如 grant 和 show 所打印。
        <hold> = 预留，如 credits hold 所打印。
        app-store show <id> = 该用户的一个标识，或者交易 ID 或订单号。
        app-store show <what> = 显示什么。
        find <id> = 标识。
        app-store consumption <id> = 交易 ID。
        app-store extend <id> = 原始交易 ID。
        app-store finish <id> = 交易 ID。
        app-store set-account-token <id> = 原始交易 ID。
        <into> = 保留的账号。
        <merge> = 合并的编号，如 merge 所打印。
        <name> = 诊断或待关注事项的标识、键，或名称。
        <number> = 变化的编号；缺省为全部。
        <order> = 订单，如 orders list 和 orders lost 所打印。
        orders show <order> = 订单：其购买的 appAccountToken。
        <paths> = 文件、文件夹，或用 - 从标准输入读取 JSON 行。
        policy test <paths> = 策略文件夹，缺省为 policies；其后为用例文件，缺省为全部。
        <product> = 产品。
        <request> = 其通知的条目，如列表所打印。
        app-store extend-status <request> = 请求的标识。
        <schedule> = usher policy scheduled 所列的编号。
        <spend> = 花费，如 credits spend 所打印。
        <subscription> = 推送订阅的名称。
        <ticket> = 核实单的编号。
        <to> = 复制到何处。
        <token> = 一个 UUID。
        <transaction> = 付款的交易。
        --accept = 写出以此原因接受损失的 accept.yaml。
        --accept-loss = 接受最多这么多账号现在或以后失去内容。
        policy schedule --accept-loss = 接受最多这么多账号失去内容。
        --accept-rollback = 使用缺少已确认条目的账本：其末尾，如错误所打印。
        --account = 失去它的所属账号；缺省为全部。
        changes --account = 只限此账号。
        replay --account = 答复所关于的账号，答复未说明时使用。
        ingest --account = 出示凭证的账号。
        reconcile --account = 只限此账号的 Apple ID。
        --accounts = 把失去或得到内容的每个账号列入此文件（.csv 或 .jsonl）。
        --advanced-commerce = 第一版的数值，仅用于 Advanced Commerce。
        --after = 从此条目之后继续，如一页末尾所打印。
        changes --after = 只列此变化之后的。
        app-store --after = 从此处之后继续。
        ledger export --after = 从此条目之后开始。
        --against = 擦除清单（.erasures），或含有这些擦除的较新备份。
        --all = 该订阅搁置的全部。
        refunds list --all = 也列出已答复、已决定或已过期的。
        --all-storefronts = 在全部店面。
        --anchor = 以前的检查或备份所打印的锚点。
        --any-bundle = 不检查 bundle id 和环境。
        --app-apple-id = 应用的 Apple ID（appAppleId）。
        --apple-id = 只限此 Apple ID 的购买，可用其任一标识。
        preflight --apple-id = 设备的 Apple ID 的任一标识。
        catalog --apple-id = 设备的 Apple ID 的任一标识。
        reconcile --apple-id = 只限此 Apple ID，可用其任一标识。
        --assume = 假定此事已经发生后回答，例如 'refund 4000000001'；可重复。
        --at = 所问的时刻；缺省为现在。
        policy diff --at = 开始的时刻；缺省为现在。
        replay --at = 答复所关于的时刻，答复未说明时使用。
        policy schedule --at = 生效的时刻。
        policy show --at = 标为现在的时刻；缺省为现在。
        --bundle-id = 应用的 bundle id。
        simulate serve --bundle-id = 为此应用签名，代替策略、演示或示例的应用。
        --calls-per-second = 每秒最多调用次数；缺省为设置 reconcile.calls-per-second。
        --config = 含设置的 YAML 文件，与 usher serve 相同。
        serve --config = 含设置的 YAML 文件。
        --consumed-milli-percent = 使用了多少：100000 为全部。用于 GRANT_PRORATED。
        --counts = 按运行中的服务最近一次的统计，显示每一格有多少账号。
        --coverage = 还说明没有用例用到的规则和状态。
        --credit = 授予此种点数，而不是权益。
        block --credit = 只停用此点数；可重复。
        --csv = 以逗号分隔的值打印对账单。
        --customer-consented = 用户已同意发送；没有同意则不发送。
        --days = 天数，1 到 90。
        policy diff --days = 向前看多少天，1 到 400；缺省为 30。
        --decision = 要撤销的决定；缺省为最近一次改变所属账号的。
        --delivery = 如何交付。
        --drop = 不送达四分之一的 Apple 通知。
        --dry-run = 同样报告而不写入。
        --due = 只查询按风险类别已到期的用户。
        --entitlement = 只限此权益。
        block --entitlement = 只停用此权益；可重复。
        policy show --entitlement = 只限给予此权益的内容。
        --environment = 商店环境。
        show --environment = 只限此商店环境。
        ingest --environment = 未说明环境的存档答案所属的环境。
        inspect --environment = 受信任的环境。
        reconcile --environment = 只限 production 或 sandbox；缺省为两者。
        app-store --environment = production 或 sandbox。
        app-store show --environment = production 或 sandbox；缺省先问 production，再问 sandbox。
        timeline --environment = 只限此商店环境。
        --evidence = 逐字节包含凭证，写作 payload（不是文本时为 base64）。
        --explain-defaults = 还显示没有策略规则、只由内置规则决定之处。
        --fail-on-loss = 有人会失去内容时以 1 退出。
        --fail-under = 用例用到的规则和状态低于此比例时以 1 退出。
        --filter = 只限文件或标题含此文字的用例。
        --fix = 显示只有一种修法的错误会怎样修正。
        erase --hold = 擦除前关闭账号的天数，0 至 30；0 表示立即擦除。
        --folder = 策略文件夹，代替写在最后。
        --follow = 继续打印此后的变化。
        --expected = 所期望的答案：yes、no 或 until=日期。
        --first-wrong = 找出自哪个条目或策略起答案不再是所期望的。
        --format = 输出格式：text、json、github 或 sarif。
        policy diff --format = 输出格式：text、json 或 csv。
        policy show --format = 输出格式：text、json 或 html。
        policy test --format = 输出格式：text、json、junit、github 或 sarif。
        --from = 对账单的开始。
        grant --from = 授予的开始；缺省为现在。
        app-store notifications --from = 从此日期起。
        timeline --from = 图的开始。
        --from-start = 继续中断的运行（缺省），或从头开始。
        --given = 用户已同意。
        --grace = 扣款失败后的宽限天数；0 为没有。
        --help = 显示帮助。
        --html = 打印一个完整的 HTML 页面，同 --format html。
        timeline --html = 打印一个完整的 HTML 页面。
        --id = 授予的名称；缺省自动生成。
        block --id = 停用的名称；缺省自动生成。
        --imported = 文件是 verifyReceipt 的存档答案。
        --json = 打印 JSON，供脚本使用的稳定格式。
        --key = 幂等键：相同的键不会重复执行；缺省自动生成。
        --keys = 在各次运行之间保存密钥的文件夹；不存在时创建。
        --kind = 只限此种类，在整个账本中。
        changes --kind = 只限此种类。
        --known-at = 只限该时刻所知的情况，按当时的策略；--at 缺省为同一时刻。
        --lang = 文字的语言；缺省为 LANG 的语言。
        --ledger = 读取此账本文件，不向服务查询。
        serve --ledger = 账本文件；不存在时创建。
        ingest --ledger = 导入此账本，它没有被服务使用。
        policy check --ledger = 与此账本最近生效的策略及其产品比较。
        policy diff --ledger = 对此账本的账号比较。
        ledger --ledger = 账本文件，或 database:FILE；缺省为 USHER_LEDGER 或 usher.ledger。
        --limit = 最多列出的数量，1 到 1000。
        reconcile --limit = 最多查询这么多用户。
        --list-steps = 用英文和中文打印用例可用的全部句子。
        --listen = 监听何处；端口 0 为任一空闲端口。
        --live = 对正在运行的服务的账号比较。
        --log-format = 日志格式：text 或 json。
        --log-level = 日志级别：trace、debug、info、notice、warning、error 或 critical。
        --manual = 编辑器所链接的 DIAGNOSTICS.md 的地址；缺省为已安装的。
        --moment = 应用出示它的时机。
        --new-account = 账号是新的：还没有任何记录。
        --no-sample = 用户是否可以先试用。
        --notify = 通知发往何处：http://host:port/path 或 unix:/path/to/usher.sock。
        --only-failures = 只限 Apple 未能送达的。
        --out = 要写入的文件夹；不存在时创建。
        simulate serve --out = 存放根证书和密钥的文件夹；不存在时创建。
        --output = 写入此文件。
        --pages = 最多页数，每页 20，1 到 5000；缺省为 50。
        --part = 只显示此部分；可重复。
        --past = 包括已解决或尚未出现的待关注事项。
        --picture = 用字符画图，输出到管道时也如此。
        --play = 一个演示：其产品和步骤。
        --policies = 策略文件夹，其中有应用和要信任的根证书。
        serve --policies = 策略文件夹。
        refunds preview --policies = 试验此策略文件夹；需要 --ledger。
        ingest --policies = 导入所用的策略。
        inspect --policies = 从此策略文件夹读取应用、环境和根证书。
        simulate serve --policies = 出售此策略文件夹的应用所出售的。
        --preference = 希望哪种决定。
        --print-config = 打印生效的设置及其来源，然后退出。
        --product = 只限此标识的产品（* 代表任意字符），或标识或标题含此文字的产品。
        --quick = 只检查文件、哈希链和索引。
        --quiet = 不打印：退出码就是答案。
        --reason = 原因；随操作记录。
        --preview = 显示此操作会更改什么，但不执行。
        --if-revision = 仅当此条目之后没有写入与此有关的内容时才执行。
        --yes = 在终端中，从他人处取走什么之前不再询问。
        reconcile --reason = 原因；写入日志。
        app-store --reason = 原因：undeclared、satisfaction、other 或 outage。
        ledger backup --reason = 原因，告知服务。
        --reference = 用途，用你自己的话。
        --reorder = 以不同的顺序送达凭证。
        --repeat = 三分之一的凭证送达两次。
        --replayable = 与 --json 合用，同时说明 usher replay 重新得出答复所需的内容。
        --request-id = 你自己的标识，最好是 UUID；另一个请求需要另一个。
        --resume = 把长时间比较的状态保存在此文件，并从中继续。
        reconcile --resume = 继续中断的运行（缺省），或从头开始。
        --revision = 只限账本中截至此条目所知的情况。
        --root = 代替 Apple 根证书信任的根证书（PEM 或 DER 文件）。
        inspect --root = 代替 Apple 根证书信任的根证书（PEM 或 DER 文件）；与 --environment 同用时只用于该环境。
        --sample = 用户是否可以先试用。
        --seed = 决定密钥、标识和随机扰乱。
        simulate serve --seed = 决定密钥、标识、签名和随机失败的整数；缺省为 2026，或 --keys 的种子。
        --set = 任何其他设置，如 limits.body-bytes=1048576。
        --skip = 跳过前 N 个变化。
        ingest --skip = 跳过此前已提交的前 N 项。
        --socket = 服务的 usher.sock，向其提交一切。
        --sockets = 服务套接字所在的文件夹。
        serve --sockets = 两个套接字所在的文件夹。
        --speed = 每个真实秒对应的虚拟秒数；0 停止时钟。
        --start = 最初的时刻；缺省为演示的时刻，或现在。
        --statement = 打印对账单：每笔之后列出余额。
        --status = 改为显示这一个的结果。
        --storefront = 只列此店面的价格：其 ISO 3166-1 alpha-3 代码。
        app-store extend-all --storefront = 以三个字母表示的店面；可重复。
        --strict = 把警告视为错误。
        --subtype = 并且为此子类型。
        --svg = 打印一张 SVG 图。
        --table = 每行打印一个时段，在终端上也如此。
        --to = 新的所属账号；缺省为认领者。
        app-store notifications --to = 此日期之前。
        --transaction = 订单所对应的付款。
        app-store notifications --transaction = 只限关于此交易的。
        --type = 只限 Apple 的此 notificationType。
        --units = 点数的数量。
        --until = 对账单的结束；不包括在内。
        credits hold --until = 预留自行结束的时刻。
        grant --until = 授予的结束；缺省没有。
        timeline --until = 图的结束。
        --up-to-now = 只包括此前购买或下单的。
        --version = 显示版本。
        --watch = 文件夹中的文件一有更改就重新运行。
        --width = 文本的列数，40 到 400；缺省为终端的列数。
        timeline --width = 宽度（列）；缺省为终端的列数。
        --withdrawn = 用户已撤回同意。
        --write = 与 --fix 同用：在文件中修正。
        """
}
