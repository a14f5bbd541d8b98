/// The folder, its files, and their characters.
extension DiagnosticID {
    static let filePages: [DiagnosticID: ManualPage] = [
        .emptyFolder: ManualPage(
            "there is no policy file here", "这里没有策略文件",
            help: Words(
                "a policy is a folder with files that end in .yaml",
                "策略是一个文件夹，内有以 .yaml 结尾的文件"),
            meaning: "A folder without policy files is not a policy without rules: it is most"
                + " often a wrong path, or a deployment that went wrong.",
            .folder(wrong: [], right: [PolicyExample.base], about: "a folder without files")),
        .folderMissing: ManualPage(
            "the policy folder {0} cannot be opened", "无法打开策略文件夹 {0}",
            help: Words("check the path and who may read it", "请检查路径和读取权限"),
            meaning: "The path does not exist, is not a folder, or may not be read.",
            .fileSystem(about: "a path that is not a folder")),
        .pathUnreadable: ManualPage(
            "the file cannot be read", "无法读取这个文件",
            help: Words(
                "check who may read it and, if it is a link, what it leads to",
                "请检查读取权限；如果是链接，请检查其指向"),
            meaning: "A policy is the whole folder. A file that cannot be read may hold a rule"
                + " that narrows the others, so the rest alone is refused.",
            .fileSystem(about: "a link called `rules.yaml` that leads to nothing")),
        .pathNotAFile: ManualPage(
            "this is not an ordinary file", "这不是普通文件",
            help: Words("put the policy into ordinary files", "请把策略放在普通文件里"),
            meaning: "Pipes, sockets, devices and folders named like policy files are refused"
                + " unread: reading them could wait for ever.",
            .fileSystem(about: "a named pipe called `rules.yaml`")),
        .pathOutside: ManualPage(
            "the link leads out of the policy folder", "链接指向策略文件夹之外",
            help: Words("copy the file into the folder", "请把文件复制到文件夹内"),
            meaning: "What is reviewed and hashed must be what is loaded. Links inside the folder"
                + " are followed; links out of it are refused.",
            .fileSystem(about: "a link called `rules.yaml` to a file elsewhere")),
        .fileTooLarge: ManualPage(
            "the file is larger than {0} bytes", "文件超过 {0} 字节",
            help: Words("split it", "请拆分成多个文件"),
            meaning: "Nobody edits a file of this size by hand; it is most likely not a policy.",
            .fileSystem(about: "a file of more than 8 MiB")),
        .tooManyFiles: ManualPage(
            "the folder has more than {0} files or {1} bytes",
            "文件夹超过 {0} 个文件或 {1} 字节",
            help: Words("check that this is the policy folder", "请确认这是策略文件夹"),
            meaning: "Most likely the path is wrong and names a folder that holds much else.",
            .fileSystem(about: "a folder with thousands of files")),
        .notUTF8: ManualPage(
            "the file is not UTF-8 text", "文件不是 UTF-8 文本",
            help: Words("save it again as UTF-8", "请用 UTF-8 编码重新保存"),
            meaning: "Other encodings (GBK, UTF-16, Latin-1) make other names of the same bytes.",
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
            meaning: "Some editors put this invisible character first; other tools then read it"
                + " as part of the first key.",
            .folder(
                wrong: [PolicyText(path: "app.yaml", text: "\u{FEFF}usher: 1\n")],
                right: [PolicyExample.base], about: "the invisible character U+FEFF at the start"
            )),
        .controlCharacter: ManualPage(
            "the text has the control character {0}", "文本含有控制字符 {0}",
            help: Words("remove it", "请删除它"),
            meaning: "Control characters (zero bytes among them) are invisible, end the text for"
                + " some programs, and can disturb a terminal.",
            .added(
                wrong: "entitlements:\n  hd: {title: High\u{7} definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .invisibleCharacter: ManualPage(
            "the text has the invisible character {0}", "文本含有不可见字符 {0}",
            help: Words(
                "remove it, or type an ordinary space", "请删除它，或改用普通空格"),
            meaning: "Spaces without width, marks that turn the direction of text and their like"
                + " make two names look the same, or a line read otherwise than it is.",
            .added(
                wrong: "entitlements:\n  h\u{200B}d: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .ideographicSpace: ManualPage(
            "the text has a full-width space", "文本含有全角空格",
            help: Words("type an ordinary space", "请改用半角空格"),
            meaning: "A full-width space looks like an ordinary one and does not separate words"
                + " in YAML.",
            .added(
                wrong: "entitlements:\n  hd:\u{3000}{title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .tab: ManualPage(
            "the text has a tab", "文本含有制表符（Tab）",
            help: Words("use spaces", "请使用空格"),
            meaning: "YAML forbids tabs at the beginning of a line, and every editor shows them"
                + " differently.",
            .added(
                wrong: "entitlements:\n\thd: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .emptyFile: ManualPage(
            "the file says nothing", "文件没有内容",
            help: Words("remove the file, or write a section", "请删除文件，或写入内容"),
            meaning: "A file without contents, or with comments only, is most often one that was"
                + " cut off while it was saved.",
            .added(wrong: "# rules will follow", right: "leeway: 1h")),
    ]
}
