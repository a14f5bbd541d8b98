/// The app, its roots and environments.
extension PolicyExample {
    static let settingExamples: [DiagnosticID: PolicyExample] = [
        .badBundleID: .changed(
            line: "  bundle_id: com.example.reader", wrong: "  bundle_id: com.example/reader",
            right: "  bundle_id: com.example.reader"),
        .appleIDRequired: .changed(
            line: "  apple_id: 1234567890", wrong: "", right: "  apple_id: 1234567890"),
        .nothingTrusted: .folder(
            wrong: [
                PolicyText(
                    path: "app.yaml",
                    text: PolicyExample.base.text
                        .replacingFirst("production: trusted", "production: refused")
                        .replacingFirst("sandbox: trusted", "sandbox: refused"))
            ], right: [PolicyExample.base],
            about: "`environments: {production: refused, sandbox: refused}`"),
        .unknownRoot: .changed(
            line: "    jws: [apple-root-ca-g3]", wrong: "    jws: [apple-root-g3]",
            right: "    jws: [apple-root-ca-g3]"),
        .badFingerprint: .changed(
            line: "    jws: [apple-root-ca-g3]",
            wrong: "    jws: [63343abfb89a6a03ebb57e9b3f5fa7be]",
            right:
                "    jws: [63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179]"
        ),
        .rootInWrongList: .changed(
            line: "    jws: [apple-root-ca-g3]",
            wrong: "    jws: [apple-root-ca-g3, apple-inc-root]",
            right: "    jws: [apple-root-ca-g3]"),
        .noRoot: .folder(
            wrong: [
                PolicyText(
                    path: "app.yaml",
                    text: PolicyExample.base.text
                        .replacingFirst("[apple-root-ca-g3]", "[]")
                        .replacingFirst("[apple-inc-root]", "[]"))
            ], right: [PolicyExample.base],
            about: "`production: trusted` with `roots: {jws: [], receipt: []}`"),
        .noTestRoot: .changed(
            line: "  production: trusted", wrong: "  production: trusted\n  xcode: trusted",
            right: "  production: trusted\n  xcode: refused"),
        .unusedRoot: .changed(
            line: "    jws: [apple-root-ca-g3]",
            wrong: "    jws:\n      - apple-root-ca-g3\n      - fingerprint: "
                + "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9170\n"
                + "        environments: xcode",
            right: "    jws: [apple-root-ca-g3]"),
        .certificateOutside: .changed(
            line: "    jws: [apple-root-ca-g3]",
            wrong: "    jws: [apple-root-ca-g3, {file: ../simulator.pem}]",
            right: "    jws: [apple-root-ca-g3]"),
        .missingCertificate: .changed(
            line: "    jws: [apple-root-ca-g3]",
            wrong: "    jws: [apple-root-ca-g3, {file: simulator.pem}]",
            right: "    jws: [apple-root-ca-g3]"),
        .notACertificate: .rootFile("not a certificate\n", about: "something else"),
        .certificateUnreadable: .rootFile(
            "-----BEGIN CERTIFICATE-----\nMAMCAQU=\n-----END CERTIFICATE-----\n",
            about: "a number"),
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
