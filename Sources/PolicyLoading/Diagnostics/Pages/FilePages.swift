/// The folder, its files, and their characters.
extension DiagnosticID {
    static let filePages: [DiagnosticID: ManualPage] = [
        .emptyFolder: ManualPage(
            "there is no policy file here", "这里没有策略文件",
            help: Words(
                "a policy is a folder with files that end in .yaml",
                "策略是一个文件夹，内有以 .yaml 结尾的文件"),
            meaning: Words(
                "A folder without policy files is not a policy without rules: it is most"
                    + " often a wrong path, or a deployment that went wrong.",
                "没有策略文件的文件夹并不等于没有规则的策略：多半是路径写错了，或者部署出了问题。"),
            .folder(wrong: [], right: [PolicyExample.base], about: "a folder without files")),
        .folderMissing: ManualPage(
            "the policy folder {0} cannot be opened", "无法打开策略文件夹 {0}",
            help: Words("check the path and who may read it", "请检查路径和读取权限"),
            meaning: Words(
                "The path does not exist, is not a folder, or may not be read.",
                "路径不存在，不是文件夹，或者没有读取权限。"),
            .fileSystem(about: "a path that is not a folder")),
        .pathUnreadable: ManualPage(
            "the file cannot be read", "无法读取这个文件",
            help: Words(
                "check who may read it and, if it is a link, what it leads to",
                "请检查读取权限；如果是链接，请检查其指向"),
            meaning: Words(
                "A policy is the whole folder. A file that cannot be read may hold a rule"
                    + " that narrows the others, so the rest alone is refused.",
                "策略是整个文件夹。读不了的文件里可能有收紧其他规则的规则，因此其余文件也不单独采用。"),
            .fileSystem(about: "a link called `rules.yaml` that leads to nothing")),
        .pathNotAFile: ManualPage(
            "this is not an ordinary file", "这不是普通文件",
            help: Words("put the policy into ordinary files", "请把策略放在普通文件里"),
            meaning: Words(
                "Pipes, sockets, devices and folders named like policy files are refused"
                    + " unread: reading them could wait for ever.",
                "名字像策略文件的管道、套接字、设备和文件夹一律不读就拒绝：读取它们可能会永远等下去。"),
            .fileSystem(about: "a named pipe called `rules.yaml`")),
        .pathOutside: ManualPage(
            "the link leads out of the policy folder", "链接指向策略文件夹之外",
            help: Words("copy the file into the folder", "请把文件复制到文件夹内"),
            meaning: Words(
                "What is reviewed and hashed must be what is loaded. Links inside the folder"
                    + " are followed; links out of it are refused.",
                "审阅过、计算过摘要的内容必须就是加载的内容。文件夹之内的链接可以使用，指向外面的链接会被拒绝。"),
            .fileSystem(about: "a link called `rules.yaml` to a file elsewhere")),
        .fileTooLarge: ManualPage(
            "the file is larger than {0} bytes", "文件超过 {0} 字节",
            help: Words("split it", "请拆分成多个文件"),
            meaning: Words(
                "Nobody edits a file of this size by hand; it is most likely not a policy.",
                "没有人会手工编辑这么大的文件；它多半不是策略。"),
            .fileSystem(about: "a file of more than 8 MiB")),
        .tooManyFiles: ManualPage(
            "the folder has more than {0} files or {1} bytes",
            "文件夹超过 {0} 个文件或 {1} 字节",
            help: Words("check that this is the policy folder", "请确认这是策略文件夹"),
            meaning: Words(
                "Most likely the path is wrong and names a folder that holds much else.",
                "多半是路径写错了，指向了放有许多其他文件的文件夹。"),
            .fileSystem(about: "a folder with thousands of files")),
        .notUTF8: ManualPage(
            "the file is not UTF-8 text", "文件不是 UTF-8 文本",
            help: Words("save it again as UTF-8", "请用 UTF-8 编码重新保存"),
            meaning: Words(
                "Other encodings (GBK, UTF-16, Latin-1) make other names of the same bytes.",
                "其他编码（GBK、UTF-16、Latin-1）会把同样的字节读成别的名称。"),
            .folder(
                wrong: [
                    PolicyExample.base,
                    PolicyText(
                        path: "catalog.yaml",
                        bytes: Array("entitlements:\n  hd: {title: ".utf8)
                            + [0xB8, 0xDF, 0xC7, 0xE5] + Array("}\n".utf8)),
                ], right: [PolicyExample.base], about: "a title saved in the encoding GBK")),
        .byteOrderMark: ManualPage(
            "the file begins with a byte order mark", "文件以字节顺序标记（BOM）开头",
            help: Words("save it as UTF-8 without BOM", "请保存为不带 BOM 的 UTF-8"),
            meaning: Words(
                "Some editors put this invisible character first; other tools then read it"
                    + " as part of the first key.",
                "有些编辑器会在开头写入这个看不见的字符；其他工具会把它当成第一个键的一部分。"),
            .folder(
                wrong: [PolicyText(path: "app.yaml", text: "\u{FEFF}usher: 1\n")],
                right: [PolicyExample.base], about: "the invisible character U+FEFF at the start"
            )),
        .controlCharacter: ManualPage(
            "the text has the control character {0}", "文本含有控制字符 {0}",
            help: Words("remove it", "请删除它"),
            meaning: Words(
                "Control characters (zero bytes among them) are invisible, end the text for"
                    + " some programs, and can disturb a terminal.",
                "控制字符（包括零字节）看不见，对某些程序意味着文本结束，还可能扰乱终端。"),
            .added(
                wrong: "entitlements:\n  hd: {title: High\u{7} definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .invisibleCharacter: ManualPage(
            "the text has the invisible character {0}", "文本含有不可见字符 {0}",
            help: Words(
                "remove it, or type an ordinary space", "请删除它，或改用普通空格"),
            meaning: Words(
                "Spaces without width, marks that turn the direction of text and their like"
                    + " make two names look the same, or a line read otherwise than it is.",
                "零宽空格、改变文字方向的标记等字符，会使两个名称看起来相同，或使一行读起来与实际不同。"),
            .added(
                wrong: "entitlements:\n  h\u{200B}d: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .ideographicSpace: ManualPage(
            "the text has a full-width space", "文本含有全角空格",
            help: Words("type an ordinary space", "请改用半角空格"),
            meaning: Words(
                "A full-width space looks like an ordinary one and does not separate words"
                    + " in YAML.",
                "全角空格看上去像普通空格，但在 YAML 中不能分隔词语。"),
            .added(
                wrong: "entitlements:\n  hd:\u{3000}{title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .tab: ManualPage(
            "the text has a tab", "文本含有制表符（Tab）",
            help: Words(
                "use spaces, so that keys of one section begin in the same column",
                "请使用空格，让同一节的键从同一列开始"),
            meaning: Words(
                "YAML forbids tabs at the beginning of a line, and every editor shows them"
                    + " differently.",
                "YAML 不允许行首使用制表符，而且各个编辑器显示的宽度也不同。"),
            .added(
                wrong: "entitlements:\n\thd: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .emptyFile: ManualPage(
            "the file says nothing", "文件没有内容",
            help: Words("remove the file, or write a section", "请删除文件，或写入内容"),
            meaning: Words(
                "A file without contents, or with comments only, is most often one that was"
                    + " cut off while it was saved.",
                "没有内容或只有注释的文件，多半是保存时被截断了。"),
            .added(wrong: "# rules will follow", right: "leeway: 1h")),
    ]
}
