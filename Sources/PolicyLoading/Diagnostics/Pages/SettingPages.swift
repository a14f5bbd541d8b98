/// The app, its roots and environments.
extension DiagnosticID {
    static let settingPages: [DiagnosticID: ManualPage] = [
        .badBundleID: ManualPage(
            "{0} is not a bundle id", "{0} 不是 Bundle ID",
            help: Words(
                "copy it from App Store Connect: com.example.reader",
                "请从 App Store Connect 复制：com.example.reader"),
            meaning: Words(
                "Evidence of another app is refused, so the bundle id must be exact.",
                "其他应用的凭证会被拒绝，因此 bundle id 必须准确。"),
            .changed(
                line: "  bundle_id: com.example.reader", wrong: "  bundle_id: com.example/reader",
                right: "  bundle_id: com.example.reader")),
        .appleIDRequired: ManualPage(
            "production is trusted, but the app has no apple_id",
            "信任正式环境，但 app 没有写 apple_id",
            help: Words(
                "copy the number 'Apple ID' from App Store Connect, App Information",
                "请从 App Store Connect 的“App 信息”复制“Apple ID”数字"),
            meaning: Words(
                "Apple's production evidence names the app by this number too, and both must"
                    + " agree.",
                "Apple 的生产环境凭证还用这个数字标明应用，两者必须一致。"),
            .changed(
                line: "  apple_id: 1234567890", wrong: "", right: "  apple_id: 1234567890")),
        .nothingTrusted: ManualPage(
            "no environment is trusted", "没有信任任何环境",
            help: Words("write 'production: trusted'", "请写“production: trusted”"),
            meaning: Words(
                "Everything that is handed in would be refused.",
                "提交的一切都会被拒绝。"),
            .folder(
                wrong: [
                    PolicyText(
                        path: "app.yaml",
                        text: PolicyExample.base.text
                            .replacingFirst("production: trusted", "production: refused")
                            .replacingFirst("sandbox: trusted", "sandbox: refused"))
                ], right: [PolicyExample.base],
                about: "`environments: {production: refused, sandbox: refused}`")),
        .unknownRoot: ManualPage(
            "{0} is not a root that this program knows", "本程序不认识根证书 {0}",
            meaning: Words(
                "Roots other than Apple's are given as a fingerprint or a file.",
                "Apple 以外的根证书要用指纹或文件给出。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]", wrong: "    jws: [apple-root-g3]",
                right: "    jws: [apple-root-ca-g3]")),
        .badFingerprint: ManualPage(
            "{0} is not a fingerprint", "{0} 不是指纹",
            help: Words(
                "write the SHA-256: 64 digits 0-9 and a-f, without colons",
                "请写 SHA-256：64 位 0-9、a-f，不带冒号"),
            meaning: Words(
                "A fingerprint that is cut or has other signs can match no certificate and no key.",
                "被截断或含有其他字符的指纹不会与任何证书或密钥相符。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]",
                wrong: "    jws: [63343abfb89a6a03ebb57e9b3f5fa7be]",
                right:
                    "    jws: [63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179]"
            )),
        .rootInWrongList: ManualPage(
            .warning, "{0} signs for {1}, not for {2}", "{0} 用于 {1}，而不是 {2}",
            help: Words("move it to {1}", "请移到 {1}"),
            meaning: Words(
                "Apple signs JWS under Apple Root CA - G3 and receipts under the Apple Inc."
                    + " Root; in the other list a root has no effect.",
                "Apple 用 Apple Root CA - G3 签署 JWS，用 Apple Inc. Root 签署收据；放在另一个列表里的根证书不起作用。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]",
                wrong: "    jws: [apple-root-ca-g3, apple-inc-root]",
                right: "    jws: [apple-root-ca-g3]")),
        .noRoot: ManualPage(
            "{0} is trusted, but no root may sign for it",
            "信任 {0} 环境，但没有根证书可为它作保",
            help: Words(
                "write the roots 'jws: [apple-root-ca-g3]' in 'trust'",
                "请在 trust 的 roots 中写“jws: [apple-root-ca-g3]”"),
            meaning: Words(
                "Without a root nothing of that environment can be verified.",
                "没有根证书，那个环境的任何内容都无法验证。"),
            .folder(
                wrong: [
                    PolicyText(
                        path: "app.yaml",
                        text: PolicyExample.base.text
                            .replacingFirst("[apple-root-ca-g3]", "[]")
                            .replacingFirst("[apple-inc-root]", "[]"))
                ], right: [PolicyExample.base],
                about: "`production: trusted` with `roots: {jws: [], receipt: []}`")),
        .noTestRoot: ManualPage(
            "{0} is trusted, but trust gives no root of its own for it",
            "信任 {0} 环境，但 trust 没有为它给出专用的根证书",
            help: Words(
                "Apple does not sign for it; give the certificate: {file: xcode.pem}",
                "苹果不为它签名；请给出证书文件：{file: xcode.pem}"),
            meaning: Words(
                "Xcode and local tests sign with a certificate of their own. To trust them"
                    + " without one would be to trust everybody.",
                "Xcode 和本地测试用自己的证书签名。没有证书就信任它们，等于信任所有人。"),
            .changed(
                line: "  production: trusted", wrong: "  production: trusted\n  xcode: trusted",
                right: "  production: trusted\n  xcode: refused")),
        .unusedRoot: ManualPage(
            .warning, "the root is for {0} only, which is refused",
            "这个根证书只用于 {0}，而该环境被拒绝",
            help: Words(
                "trust the environment, or remove the root", "请信任该环境，或删去这个根证书"),
            meaning: Words(
                "The root has no effect.",
                "这个根证书不起作用。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]",
                wrong: "    jws:\n      - apple-root-ca-g3\n      - fingerprint: "
                    + "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9170\n"
                    + "        environments: xcode",
                right: "    jws: [apple-root-ca-g3]")),
        .certificateOutside: ManualPage(
            "the certificate {0} lies outside of the policy folder",
            "证书 {0} 在策略文件夹之外",
            help: Words(
                "copy it into the folder and write its path from there",
                "请复制到文件夹内，并写相对路径"),
            meaning: Words(
                "What is reviewed and hashed must be what is trusted.",
                "审阅过、计算过摘要的内容必须就是所信任的内容。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]",
                wrong: "    jws: [apple-root-ca-g3, {file: ../simulator.pem}]",
                right: "    jws: [apple-root-ca-g3]")),
        .missingCertificate: ManualPage(
            "there is no certificate {0} in the policy folder", "策略文件夹中没有证书 {0}",
            help: Words(
                "put it there, with a name that ends in .pem or .der",
                "请放入文件夹，文件名以 .pem 或 .der 结尾"),
            meaning: Words(
                "The file was not found, or has another ending.",
                "找不到文件，或者文件的扩展名不同。"),
            .changed(
                line: "    jws: [apple-root-ca-g3]",
                wrong: "    jws: [apple-root-ca-g3, {file: simulator.pem}]",
                right: "    jws: [apple-root-ca-g3]")),
        .notACertificate: ManualPage(
            "{0} is not one certificate in PEM or DER", "{0} 不是单个 PEM 或 DER 证书",
            help: Words(
                "write the root alone, from BEGIN CERTIFICATE to END CERTIFICATE",
                "请只放根证书，从 BEGIN CERTIFICATE 到 END CERTIFICATE"),
            meaning: Words(
                "The file is empty, cut off, holds a key, or holds a whole chain.",
                "文件为空、被截断、是一把密钥，或者含有整条证书链。"),
            .rootFile("not a certificate\n", about: "something else")),
        .certificateUnreadable: ManualPage(
            "{0} looks like a certificate, but cannot be read as one",
            "{0} 看起来像证书，但无法作为证书读取",
            help: Words(
                "export the root again, as an X.509 certificate of version 3",
                "请重新导出根证书，须为 X.509 第 3 版"),
            meaning: Words(
                "The file has a certificate's outer form around something else: a key, another"
                    + " kind of certificate, bytes that were damaged. No chain can end in it, so"
                    + " all evidence under it would be refused.",
                "文件只有证书的外形，内容却是别的：密钥、其他种类的证书，或已损坏的数据。"
                    + "没有证书链能终止于它，因此它名下的所有凭证都会被拒绝。"),
            .rootFile(
                "-----BEGIN CERTIFICATE-----\nMAMCAQU=\n-----END CERTIFICATE-----\n",
                about: "a number")),
    ]
}

extension PolicyExample {
    /// A policy that names a root file, with `contents` in it.
    fileprivate static func rootFile(_ contents: String, about: String) -> PolicyExample {
        .folder(
            wrong: [
                PolicyText(
                    path: "app.yaml",
                    text: base.text.replacingFirst(
                        "apple-root-ca-g3", "apple-root-ca-g3, {file: simulator.pem}")),
                PolicyText(path: "simulator.pem", text: contents),
            ], right: [base],
            about: "`{file: simulator.pem}`, where that file holds \(about)")
    }
}
