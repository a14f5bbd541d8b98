/// Sections and keys.
extension DiagnosticID {
    static let keyPages: [DiagnosticID: ManualPage] = [
        .notSections: ManualPage(
            "a policy file is made of sections", "策略文件由若干节组成",
            help: Words("write sections such as 'products:'", "请写成各节，例如“products:”"),
            meaning: Words(
                "Every line of a policy belongs to a section that has a name.",
                "策略的每一行都属于一个有名称的节。"),
            .added(
                wrong: "- name: testers\n  then: grant",
                right: "access:\n  - name: testers\n    then: grant")),
        .missingVersion: ManualPage(
            "the version of the format is missing", "缺少格式版本",
            help: Words("write 'usher: 1' in the first line", "请在首行写“usher: 1”"),
            meaning: Words(
                "The version lets a later program read an old policy as it was meant.",
                "有了版本号，以后的程序才能按原来的意思读取旧策略。"),
            .changed(line: "usher: 1", wrong: "", right: "usher: 1")),
        .unknownVersion: ManualPage(
            "version {0} of the format is unknown", "不认识的格式版本 {0}",
            help: Words(
                "this program reads version {1}; use a newer program, or write 'usher: {1}'",
                "本程序支持版本 {1}；请升级程序，或写“usher: {1}”"),
            meaning: Words(
                "A policy of a later format could mean something else; it is refused rather"
                    + " than guessed at.",
                "更新的格式可能有别的含义；宁可拒绝，也不猜测。"),
            .changed(line: "usher: 1", wrong: "usher: 2", right: "usher: 1")),
        .unknownSection: ManualPage(
            "unknown section {0}", "未知的节 {0}",
            meaning: Words(
                "A section that is not read would be a promise that nothing keeps.",
                "不会被读取的节，就是一个没有人兑现的承诺。"),
            .added(wrong: "order:\n  pay_within: 30m", right: "orders:\n  pay_within: 30m")),
        .unknownKey: ManualPage(
            "unknown key {0} in {1}", "{1} 中没有 {0} 这个键",
            meaning: Words(
                "A key that is not read would be a promise that nothing keeps.",
                "不会被读取的键，就是一个没有人兑现的承诺。"),
            .added(wrong: "orders:\n  pay_witin: 30m", right: "orders:\n  pay_within: 30m")),
        .fieldNotHere: ManualPage(
            "{0} has no meaning in this {1}", "{0} 在这里的 {1} 中没有意义",
            help: Words(
                "access rules look at states, account_switch rules at claims",
                "access 规则看状态，account_switch 规则看主张"),
            meaning: Words(
                "An access rule is tried at every instant of a purchase, when no claim is"
                    + " being made; an account-switch rule at a claim, and not on states.",
                "权益规则在购买的每个时刻都会判断，那时并没有认领；账号切换规则只在认领时判断，与状态无关。"),
            .added(
                wrong: "access:\n  - name: restored\n    when: {moment: restore}\n"
                    + "    then: grant",
                right: "account_switch:\n  - name: restored\n    when: {moment: restore}\n"
                    + "    then: transfer")),
        .secretInPolicy: ManualPage(
            "a policy has no secrets, but here is {0}", "策略中不应有机密，但这里有 {0}",
            help: Words(
                "remove it and replace the secret; keys belong into the service's configuration",
                "请删去并更换该机密；密钥应放在服务的配置里"),
            meaning: Words(
                "Policies are shown, compared and kept for ever.",
                "策略会被展示、比较，并永久保存。"),
            .changed(
                line: "  bundle_id: com.example.reader",
                wrong: "  bundle_id: com.example.reader\n  shared_secret: 0123456789",
                right: "  bundle_id: com.example.reader")),
        .missingSection: ManualPage(
            "the section {0} is missing", "缺少 {0} 一节",
            help: Words("write it in one of the files", "请在其中一个文件里写上"),
            meaning: Words(
                "Without it no purchase could be verified.",
                "没有它，任何购买都无法验证。"),
            .folder(
                wrong: [PolicyText(path: "app.yaml", text: "usher: 1\nleeway: 1h\n")],
                right: [PolicyExample.base], about: "```yaml\nusher: 1\nleeway: 1h\n```")),
        .missingKey: ManualPage(
            "{0} is missing in {1}", "{1} 中缺少 {0}",
            help: Words("write {0} with its value", "请写上 {0} 及其值"),
            meaning: Words(
                "What it stands for has no value that would suit everybody.",
                "它代表的内容没有适合所有人的默认值。"),
            .changed(
                line: "  bundle_id: com.example.reader", wrong: "",
                right: "  bundle_id: com.example.reader")),
        .missingChoice: ManualPage(
            "an entry of {1} needs one of {0}", "{1} 的每一项需要 {0} 之一",
            help: Words("write one of them first", "请写上其中之一"),
            meaning: Words(
                "The entry does not say what it is about.",
                "这一项没有说明它是关于什么的。"),
            .added(
                wrong: "products:\n  coins.100:\n    kind: consumable\n"
                    + "    grants: [{units: 100}]",
                right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 100}]")),
        .duplicateName: ManualPage(
            "{0} is defined twice in {1}", "{0} 在 {1} 中定义了两次",
            help: Words("keep one of them", "请保留其中一个"),
            meaning: Words(
                "The order of files has no meaning, so neither could win.",
                "文件的先后没有意义，所以两者谁也不能胜出。"),
            .added(
                wrong: "entitlements:\n  premium: {title: Premium reading}",
                right: "entitlements:\n  premium-plus: {title: Premium plus}")),
        .splitSection: ManualPage(
            "the section {0} stands in two files", "{0} 一节出现在两个文件中",
            help: Words(
                "decide which of the two counts, and remove the other",
                "请确定以哪一处为准，并删去另一处"),
            meaning: Words(
                "Settings that belong together are read together.",
                "属于一起的设置要放在一起读取。"),
            .added(
                wrong: "environments:\n  xcode: refused",
                right: "orders:\n  pay_within: 30m")),
        .splitList: ManualPage(
            "the rules of {0} stand in two files", "{0} 的规则分散在两个文件中",
            help: Words("put all of them in one file", "请把它们放在同一个文件里"),
            meaning: Words(
                "The first rule that matches decides, and files have no order.",
                "第一条匹配的规则起决定作用，而文件之间没有先后。"),
            .folder(
                wrong: [
                    PolicyExample.base,
                    PolicyText(
                        path: "rules.yaml",
                        text: "access:\n  - name: everybody\n    then: grant\n"),
                    PolicyText(
                        path: "special.yaml",
                        text: "access:\n  - name: testers\n    when: {account: qa}\n"
                            + "    then: grant\n"),
                ],
                right: [
                    PolicyExample.base,
                    PolicyText(
                        path: "rules.yaml",
                        text: "access:\n  - name: testers\n    when: {account: qa}\n"
                            + "    then: grant\n  - name: everybody\n    then: grant\n"),
                ], about: "a list `access` in `rules.yaml`, and another in `special.yaml`")),
    ]
}
