/// YAML, and the traps in it.
extension DiagnosticID {
    static let yamlPages: [DiagnosticID: ManualPage] = [
        .yamlSyntax: ManualPage(
            "the text cannot be understood from here on", "从这里起无法理解文本",
            help: Words(
                "check quotes, brackets, colons and indentation",
                "请检查引号、括号、冒号和缩进"),
            meaning: Words(
                "The file is not YAML at this place.",
                "文件在这个地方不是 YAML。"),
            .added(
                wrong: "access: - name: everybody\n  then: grant",
                right: "access:\n  - name: everybody\n    then: grant")),
        .badIndentation: ManualPage(
            "this line does not line up with the lines before it", "这一行与前面的行没有对齐",
            help: Words(
                "keys of one section begin in the same column; a list item begins with '- '",
                "同一节的键要从同一列开始；列表项以“- ”开头"),
            meaning: Words(
                "In YAML the indentation says what belongs to what.",
                "在 YAML 中，缩进说明什么属于什么。"),
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
            meaning: Words(
                "Everything after an open quote is taken as text.",
                "引号没有闭合，后面的一切都会被当成文本。"),
            .added(
                wrong: "entitlements:\n  hd: {title: \"High definition}",
                right: "entitlements:\n  hd: {title: \"High definition\"}")),
        .unclosedBracket: ManualPage(
            "the bracket that opens here is not closed, or a comma is missing in it",
            "这里的括号没有闭合，或其中缺少逗号",
            help: Words("close the bracket, and separate with commas", "请闭合括号，并用逗号分隔"),
            meaning: Words(
                "Inside '[ ]' and '{ }' commas separate, and the same bracket closes.",
                "在“[ ]”和“{ }”中用逗号分隔，并用同一种括号闭合。"),
            .added(
                wrong: "entitlements:\n  hd: {title: High definition\n  uhd: {title: Ultra}",
                right: "entitlements:\n  hd: {title: High definition}\n  uhd: {title: Ultra}")),
        .colonInText: ManualPage(
            "there is a colon in the middle of a text", "文本中间有冒号",
            help: Words("put the text in quotes", "请给文本加上引号"),
            meaning: Words(
                "A colon and a space separate key and value, so a text that has them needs"
                    + " quotes.",
                "冒号加空格用来分隔键和值，所以含有它们的文本要加引号。"),
            .added(
                wrong: "entitlements:\n  hd:\n    title: Video: high definition",
                right: "entitlements:\n  hd:\n    title: \"Video: high definition\"")),
        .missingColon: ManualPage(
            "there is no colon after this", "这里后面缺少冒号",
            help: Words("write 'key:' before what belongs to it", "请在其内容之前写“键:”"),
            meaning: Words(
                "What is indented below belongs to this line, so it must be a key.",
                "下面缩进的内容属于这一行，所以这一行必须是键。"),
            .added(
                wrong: "entitlements\n  hd: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .missingSpace: ManualPage(
            "a space is missing after the colon in {0}", "{0} 的冒号后面缺少空格",
            help: Words("write 'key: value'", "请写成“键: 值”"),
            meaning: Words(
                "Without the space, YAML takes the colon for a part of the text.",
                "没有空格，YAML 会把冒号当成文本的一部分。"),
            .added(wrong: "orders:\n  pay_within:30m", right: "orders:\n  pay_within: 30m")),
        .mergeConflict: ManualPage(
            "this is a mark of a merge conflict that was not resolved", "这是未解决的合并冲突留下的标记",
            help: Words(
                "keep one of the two versions, and remove the lines with '<<<<<<<', '=======' and"
                    + " '>>>>>>>'",
                "请保留两个版本中的一个，并删去“<<<<<<<”“=======”和“>>>>>>>”所在的行"),
            meaning: Words(
                "Between the marks the file says two things at once.",
                "标记之间的内容同时给出了两种说法。"),
            .added(
                wrong: "<<<<<<< HEAD\nleeway: 1h\n=======\nleeway: 2h\n>>>>>>> longer-leeway",
                right: "leeway: 2h")),
        .reservedCharacter: ManualPage(
            "a text cannot begin with this character", "文本不能以这个字符开头",
            help: Words("put the text in quotes", "请给文本加上引号"),
            meaning: Words(
                "YAML keeps '@', '`' and '%' for itself.",
                "“@”“`”和“%”由 YAML 保留。"),
            .added(
                wrong: "entitlements:\n  hd: {title: @home}",
                right: "entitlements:\n  hd: {title: \"@home\"}")),
        .fullWidthPunctuation: ManualPage(
            "this is full-width punctuation, where an ordinary sign is needed", "此处用了全角标点",
            help: Words(
                "type ':' with a space after it, ',' or '\"' instead",
                "请改用半角的“:”（后面加空格）、“,”或英文引号"),
            meaning: Words(
                "YAML knows the ASCII signs only. '：' is part of the text to it.",
                "YAML 只认识 ASCII 符号；“：”对它来说是文本的一部分。"),
            .added(
                wrong: "entitlements:\n  hd：{title： High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .severalDocuments: ManualPage(
            "a second document begins here", "这里开始了第二个文档",
            help: Words("remove the line '---'", "请删去“---”这一行"),
            meaning: Words(
                "Everything after the first '---' would be lost on tools that read one"
                    + " document.",
                "只读取一个文档的工具会丢掉第一个“---”之后的一切。"),
            .added(
                wrong: "leeway: 1h\n---\norders: {pay_within: 30m}",
                right: "leeway: 1h\norders: {pay_within: 30m}")),
        .yamlDirective: ManualPage(
            "a policy cannot have directives ('%')", "策略中不能使用 YAML 指令（%）",
            help: Words("remove the line that begins with '%'", "请删去以“%”开头的行"),
            meaning: Words(
                "Directives change how the rest is read. A policy has no need of them.",
                "指令会改变其余内容的读法。策略不需要它们。"),
            .added(wrong: "%YAML 1.1\n---\nleeway: 1h", right: "leeway: 1h")),
        .anchor: ManualPage(
            "a policy cannot have anchors ('&')", "策略中不能使用锚点（&）",
            help: Words(
                "remove it; if the text begins with '&', put it in quotes",
                "请删去；如果文本本身以“&”开头，请加引号"),
            meaning: Words(
                "Anchors let a line mean what stands elsewhere, and a few hundred bytes of"
                    + " them expand to gigabytes. A policy says everything where it stands.",
                "锚点会让一行表示写在别处的内容，几百字节就能展开成几个 GB。策略的内容都写在它所在的地方。"),
            .added(
                wrong: "entitlements:\n  hd: &video {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .alias: ManualPage(
            "a policy cannot have aliases ('*')", "策略中不能使用别名（*）",
            help: Words(
                "write the value out; a product pattern that begins with '*' needs quotes",
                "请写出完整的值；以“*”开头的产品模式要加引号"),
            meaning: Words(
                "An alias repeats what an anchor marked (see anchor). A pattern that begins"
                    + " with '*' needs quotes for the same reason.",
                "别名重复锚点标记的内容（见 anchor）。同样的原因，以“*”开头的模式要加引号。"),
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
            meaning: Words(
                "Tags make other types of a value, or even run code in some tools.",
                "标签会改变值的类型，在某些工具中甚至会运行代码。"),
            .added(
                wrong: "entitlements:\n  hd: {title: !!str High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .mergeKey: ManualPage(
            "a policy cannot have merge keys ('<<')", "策略中不能使用合并键（<<）",
            help: Words("write the keys out", "请写出各个键"),
            meaning: Words(
                "Merging hides which value counts. There is no inheritance in a policy.",
                "合并会掩盖以哪个值为准。策略没有继承。"),
            .added(
                wrong: "entitlements:\n  hd:\n    <<: {title: High definition}\n    title: HD",
                right: "entitlements:\n  hd:\n    title: HD")),
        .duplicateKey: ManualPage(
            "the key {0} is written twice in this section", "键 {0} 在同一节里写了两次",
            help: Words("keep one of them", "请保留其中一个"),
            meaning: Words(
                "Most YAML tools take the last and drop the first without a word.",
                "多数 YAML 工具取最后一个，不作声地丢掉第一个。"),
            .added(
                wrong: "orders:\n  pay_within: 30m\n  match_window: 24h\n  pay_within: 1h",
                right: "orders:\n  pay_within: 30m\n  match_window: 24h")),
        .keyNotText: ManualPage(
            "a key must be a single word", "键必须是单个词",
            help: Words(
                "write 'key: value'; a text that begins with '{' or '[' needs quotes",
                "请写成“键: 值”；以“{”或“[”开头的文本要加引号"),
            meaning: Words(
                "YAML allows lists and sections as keys; nobody can refer to one.",
                "YAML 允许用列表和节作键，但没有人能引用这样的键。"),
            .added(
                wrong: "entitlements:\n  [hd, uhd]: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .textOverLines: ManualPage(
            "the text goes on over several lines", "文本跨越了多行",
            help: Words("write it on one line", "请写在一行之内"),
            meaning: Words(
                "How line breaks are joined depends on small signs that are easily mistaken,"
                    + " and a line that was indented too far silently becomes part of the text.",
                "换行如何连接取决于容易看错的小符号；缩进过深的一行会悄悄变成文本的一部分。"),
            .added(
                wrong: "entitlements:\n  hd:\n    title: High\n      definition",
                right: "entitlements:\n  hd:\n    title: High definition")),
        .tooDeep: ManualPage(
            "more than {0} levels of nesting", "嵌套超过 {0} 层",
            help: Words("check the brackets", "请检查括号"),
            meaning: Words(
                "No policy needs it; deep nesting serves to exhaust the reader.",
                "没有策略需要这么深；过深的嵌套是用来耗尽读取者的。"),
            .added(
                wrong: "access: " + String(repeating: "[", count: 40)
                    + String(repeating: "]", count: 40), right: "access: []")),
    ]
}
