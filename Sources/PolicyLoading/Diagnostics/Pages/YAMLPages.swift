/// YAML, and the traps in it.
extension DiagnosticID {
    static let yamlPages: [DiagnosticID: ManualPage] = [
        .yamlSyntax: ManualPage(
            "the text cannot be understood from here on", "从这里起无法理解文本",
            help: Words(
                "check quotes, brackets, colons and indentation",
                "请检查引号、括号、冒号和缩进"),
            meaning: "The file is not YAML at this place.",
            .added(
                wrong: "access: - name: everybody\n  then: grant",
                right: "access:\n  - name: everybody\n    then: grant")),
        .badIndentation: ManualPage(
            "this line does not line up with the lines before it", "这一行与前面的行没有对齐",
            help: Words(
                "keys of one section begin in the same column; a list item begins with '- '",
                "同一节的键要从同一列开始；列表项以“- ”开头"),
            meaning: "In YAML the indentation says what belongs to what.",
            .added(
                wrong: "entitlements:\n    hd: {title: High definition}\n  uhd: {title: Ultra}",
                right: "entitlements:\n    hd: {title: High definition}\n    uhd: {title: Ultra}")
        ),
        .unclosedQuote: ManualPage(
            "the quote that opens here is not closed, or text follows it",
            "这里的引号没有闭合，或其后还有文字",
            help: Words(
                "close it on the same line; write a quote inside quotes twice",
                "请在同一行闭合引号"),
            meaning: "Everything after an open quote is taken as text.",
            .added(
                wrong: "entitlements:\n  hd: {title: \"High definition}",
                right: "entitlements:\n  hd: {title: \"High definition\"}")),
        .unclosedBracket: ManualPage(
            "the bracket that opens here is not closed, or a comma is missing in it",
            "这里的括号没有闭合，或其中缺少逗号",
            help: Words("close the bracket, and separate with commas", "请闭合括号，并用逗号分隔"),
            meaning: "Inside '[ ]' and '{ }' commas separate, and the same bracket closes.",
            .added(
                wrong: "entitlements:\n  hd: {title: High definition\n  uhd: {title: Ultra}",
                right: "entitlements:\n  hd: {title: High definition}\n  uhd: {title: Ultra}")),
        .colonInText: ManualPage(
            "there is a colon in the middle of a text", "文本中间有冒号",
            help: Words("put the text in quotes", "请给文本加上引号"),
            meaning: "A colon and a space separate key and value, so a text that has them needs"
                + " quotes.",
            .added(
                wrong: "entitlements:\n  hd:\n    title: Video: high definition",
                right: "entitlements:\n  hd:\n    title: \"Video: high definition\"")),
        .missingColon: ManualPage(
            "there is no colon after this", "这里后面缺少冒号",
            help: Words("write 'key:' before what belongs to it", "请在其内容之前写“键:”"),
            meaning: "What is indented below belongs to this line, so it must be a key.",
            .added(
                wrong: "entitlements\n  hd: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .missingSpace: ManualPage(
            "a space is missing after the colon in {0}", "{0} 的冒号后面缺少空格",
            help: Words("write 'key: value'", "请写成“键: 值”"),
            meaning: "Without the space, YAML takes the colon for a part of the text.",
            .added(wrong: "orders:\n  pay_within:30m", right: "orders:\n  pay_within: 30m")),
        .reservedCharacter: ManualPage(
            "a text cannot begin with this character", "文本不能以这个字符开头",
            help: Words("put the text in quotes", "请给文本加上引号"),
            meaning: "YAML keeps '@', '`' and '%' for itself.",
            .added(
                wrong: "entitlements:\n  hd: {title: @home}",
                right: "entitlements:\n  hd: {title: \"@home\"}")),
        .fullWidthPunctuation: ManualPage(
            "this is full-width punctuation, where an ordinary sign is needed", "此处用了全角标点",
            help: Words(
                "type ':' with a space after it, ',' or '\"' instead",
                "请改用半角的“:”（后面加空格）、“,”或英文引号"),
            meaning: "YAML knows the ASCII signs only. '：' is part of the text to it.",
            .added(
                wrong: "entitlements:\n  hd：{title： High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .severalDocuments: ManualPage(
            "a second document begins here", "这里开始了第二个文档",
            help: Words("remove the line '---'", "请删去“---”这一行"),
            meaning: "Everything after the first '---' would be lost on tools that read one"
                + " document.",
            .added(
                wrong: "leeway: 1h\n---\norders: {pay_within: 30m}",
                right: "leeway: 1h\norders: {pay_within: 30m}")),
        .yamlDirective: ManualPage(
            "a policy cannot have directives ('%')", "策略中不能使用 YAML 指令（%）",
            help: Words("remove the line that begins with '%'", "请删去以“%”开头的行"),
            meaning: "Directives change how the rest is read. A policy has no need of them.",
            .added(wrong: "%YAML 1.1\n---\nleeway: 1h", right: "leeway: 1h")),
        .anchor: ManualPage(
            "a policy cannot have anchors ('&')", "策略中不能使用锚点（&）",
            help: Words(
                "remove it; if the text begins with '&', put it in quotes",
                "请删去；如果文本本身以“&”开头，请加引号"),
            meaning: "Anchors let a line mean what stands elsewhere, and a few hundred bytes of"
                + " them expand to gigabytes. A policy says everything where it stands.",
            .added(
                wrong: "entitlements:\n  hd: &video {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .alias: ManualPage(
            "a policy cannot have aliases ('*')", "策略中不能使用别名（*）",
            help: Words(
                "write the value out; if the text begins with '*', put it in quotes",
                "请写出完整的值；如果文本本身以“*”开头，请加引号"),
            meaning: "An alias repeats what an anchor marked (see anchor). A pattern that begins"
                + " with '*' needs quotes for the same reason.",
            .added(
                wrong: "access:\n  - name: no monthly plan\n    when: {product: *.monthly}\n"
                    + "    then: withhold",
                right: "access:\n  - name: no monthly plan\n"
                    + "    when: {product: \"*.monthly\"}\n    then: withhold")),
        .tag: ManualPage(
            "a policy cannot have tags ('!')", "策略中不能使用标签（!）",
            help: Words(
                "remove it; if the text begins with '!', put it in quotes",
                "请删去；如果文本本身以“!”开头，请加引号"),
            meaning: "Tags make other types of a value, or even run code in some tools.",
            .added(
                wrong: "entitlements:\n  hd: {title: !!str High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .mergeKey: ManualPage(
            "a policy cannot have merge keys ('<<')", "策略中不能使用合并键（<<）",
            help: Words("write the keys out", "请写出各个键"),
            meaning: "Merging hides which value counts. There is no inheritance in a policy.",
            .added(
                wrong: "entitlements:\n  hd:\n    <<: {title: High definition}\n    title: HD",
                right: "entitlements:\n  hd:\n    title: HD")),
        .duplicateKey: ManualPage(
            "the key {0} stands twice in one place", "键 {0} 在同一处出现了两次",
            help: Words("keep one of them", "请保留其中一个"),
            meaning: "Most YAML tools take the last and drop the first without a word.",
            .added(
                wrong: "orders:\n  pay_within: 30m\n  match_window: 24h\n  pay_within: 1h",
                right: "orders:\n  pay_within: 30m\n  match_window: 24h")),
        .keyNotText: ManualPage(
            "a key must be a single word", "键必须是单个词",
            help: Words(
                "write 'key: value'; a text that begins with '{' or '[' needs quotes",
                "请写成“键: 值”；以“{”或“[”开头的文本要加引号"),
            meaning: "YAML allows lists and sections as keys; nobody can refer to one.",
            .added(
                wrong: "entitlements:\n  [hd, uhd]: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .textOverLines: ManualPage(
            "the text goes on over several lines", "文本跨越了多行",
            help: Words("write it on one line", "请写在一行之内"),
            meaning: "How line breaks are joined depends on small signs that are easily mistaken,"
                + " and a line that was indented too far silently becomes part of the text.",
            .added(
                wrong: "entitlements:\n  hd:\n    title: High\n      definition",
                right: "entitlements:\n  hd:\n    title: High definition")),
        .tooDeep: ManualPage(
            "more than {0} levels of nesting", "嵌套超过 {0} 层",
            help: Words("check the brackets", "请检查括号"),
            meaning: "No policy needs it; deep nesting serves to exhaust the reader.",
            .added(
                wrong: "access: " + String(repeating: "[", count: 40)
                    + String(repeating: "]", count: 40), right: "access: []")),
    ]
}
