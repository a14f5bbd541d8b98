/// The folder, its files, and their characters.
extension PolicyExample {
    static let fileExamples: [DiagnosticID: PolicyExample] = [
        .emptyFolder: .folder(
            wrong: [], right: [PolicyExample.base], about: "a folder without files"),
        .folderMissing: .fileSystem(about: "a path that is not a folder"),
        .pathUnreadable: .fileSystem(about: "a link called `rules.yaml` that leads to nothing"),
        .pathNotAFile: .fileSystem(about: "a named pipe called `rules.yaml`"),
        .pathOutside: .fileSystem(about: "a link called `rules.yaml` to a file elsewhere"),
        .fileTooLarge: .fileSystem(about: "a file of more than 8 MiB"),
        .tooManyFiles: .fileSystem(about: "a folder with thousands of files"),
        .notUTF8: .folder(
            wrong: [
                PolicyExample.base,
                PolicyText(
                    path: "catalog.yaml",
                    bytes: Array("entitlements:\n  hd: {title: ".utf8)
                        + [0xB8, 0xDF, 0xC7, 0xE5] + Array("}\n".utf8)),
            ], right: [PolicyExample.base], about: "a title saved in the encoding GBK"),
        .byteOrderMark: .folder(
            wrong: [PolicyText(path: "app.yaml", text: "\u{FEFF}usher: 1\n")],
            right: [PolicyExample.base], about: "the invisible character U+FEFF at the start"
        ),
        .controlCharacter: .added(
            wrong: "entitlements:\n  hd: {title: High\u{7} definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .invisibleCharacter: .added(
            wrong: "entitlements:\n  h\u{200B}d: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .ideographicSpace: .added(
            wrong: "entitlements:\n  hd:\u{3000}{title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .tab: .added(
            wrong: "entitlements:\n\thd: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .emptyFile: .added(wrong: "# rules will follow", right: "leeway: 1h"),
    ]
}
