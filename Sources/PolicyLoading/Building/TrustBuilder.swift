internal import EntitlementModel

/// The `trust` section (spec 4.0).
extension PolicyBuilder {
    /// The roots, each checked for its list and its environments.
    mutating func buildTrust(
        _ environments: [StoreEnvironment: EnvironmentTrust]
    ) -> TrustSettings {
        let section = draft.section("trust")
        let roots = section?.value("roots")?.section
        var settings = TrustSettings()
        settings.jws = buildAnchors(roots?.value("jws"), list: "jws", environments)
        settings.receipt = buildAnchors(roots?.value("receipt"), list: "receipt", environments)
        settings.maximumSignedAge = section?.value("max_signed_age")?.length
        settings.deniedKeys = buildDeniedKeys(section?.value("denied_keys"))
        let isSure = draft.isWhole && (draft.field("trust") == nil || roots != nil)
        let hasBroken = ["jws", "receipt"].contains { hasBrokenAnchors(roots?.value($0)) }
        if isSure, !hasBroken { checkRoots(settings) }
        return settings
    }

    private mutating func buildDeniedKeys(_ value: CheckedValue?) -> Set<Digest256> {
        var keys: Set<Digest256> = []
        for element in value?.elements ?? [] {
            guard let text = element.text else { continue }
            if let key = Digest256(hexadecimal: text) {
                keys.insert(key)
            } else {
                problems.add(.badFingerprint, at: element.span, .written(text))
            }
        }
        return keys
    }

    /// Every trusted environment needs a root that something may be signed under. Apple's roots
    /// sign for production and the sandbox only.
    private mutating func checkRoots(_ settings: TrustSettings) {
        for environment in StoreEnvironment.allCases where isTrusted(environment) {
            let isApples = environment == .production || environment == .sandbox
            let anchors = (settings.jws + settings.receipt).filter { anchor in
                anchor.environments?.contains(environment) ?? true
                    && (isApples || !BuiltInRoot.isApples(anchor.root))
            }
            guard anchors.isEmpty,
                let field = draft.section("environments")?.fields[environment.rawValue]
            else { continue }
            problems.add(
                isApples ? .noRoot : .noTestRoot, at: field.keySpan,
                .written(environment.rawValue))
        }
    }

    private func hasBrokenAnchors(_ value: CheckedValue?) -> Bool {
        guard let value else { return false }
        return value.isBroken || value.elements.contains { $0.isBroken || anchorRoot($0) == nil }
    }

    private mutating func buildAnchors(
        _ value: CheckedValue?, list: String,
        _ environments: [StoreEnvironment: EnvironmentTrust]
    ) -> [TrustAnchor] {
        (value?.elements ?? []).compactMap { element in
            guard !element.isBroken else { return nil }
            checkRoot(element, list: list)
            guard let root = anchorRoot(element) else { return nil }
            let words = element.section?.value("environments")
            let scope = words.map { words in
                Set(words.elements.compactMap { $0.word(StoreEnvironment.self) })
            }
            if let scope, let words, !scope.isEmpty, !scope.contains(where: isTrusted) {
                problems.add(
                    .unusedRoot, at: words.span, .choice(scope.map(\.rawValue).sorted()))
            }
            return TrustAnchor(root: root, environments: scope)
        }
    }

    private func anchorRoot(_ value: CheckedValue) -> TrustAnchor.Root? {
        if let name = value.text {
            return (BuiltInRoot(rawValue: name)?.fingerprint ?? Digest256(hexadecimal: name))
                .map { .fingerprint($0) }
        }
        if let text = value.section?.value("fingerprint")?.text {
            return Digest256(hexadecimal: text).map { .fingerprint($0) }
        }
        guard let path = value.section?.value("file")?.text,
            let file = texts.first(where: { $0.path == path })
        else { return nil }
        return certificateBytes(file.bytes).map { .certificate($0) }
    }

    private mutating func checkRoot(_ value: CheckedValue, list: String) {
        if let name = value.text {
            checkNamedRoot(name, value, list: list)
        } else if let fingerprint = value.section?.value("fingerprint"),
            let text = fingerprint.text, Digest256(hexadecimal: text) == nil
        {
            problems.add(.badFingerprint, at: fingerprint.span, .written(text))
        } else if let file = value.section?.value("file"), let path = file.text {
            checkCertificate(path, file)
        }
    }

    private mutating func checkNamedRoot(_ name: String, _ value: CheckedValue, list: String) {
        if let root = BuiltInRoot(rawValue: name) {
            if root.list != list {
                problems.add(
                    .rootInWrongList, at: value.span, .written(name), .written(root.list),
                    .written(list))
            }
        } else if Digest256(hexadecimal: name) == nil {
            let isHexadecimal = name.allSatisfy(\.isHexDigit) && name.count >= 16
            let fitting = BuiltInRoot.allCases.filter { $0.list == list }.map(\.rawValue)
            let near = Help.meant(by: name, among: fitting)
            problems.add(
                isHexadecimal ? .badFingerprint : .unknownRoot, at: value.span, .written(name),
                help: isHexadecimal ? nil : near ?? .oneOf(fitting))
        }
    }

    private mutating func checkCertificate(_ path: String, _ value: CheckedValue) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.hasPrefix("/") || parts.contains("..") {
            problems.add(.certificateOutside, at: value.span, .written(path))
        } else if let file = texts.first(where: { $0.path == path }) {
            checkContents(of: file, value)
        } else {
            let files = texts.filter { !$0.isYAML }.map(\.path)
            problems.add(
                .missingCertificate, at: value.span, .written(path),
                help: suggestion(for: path, among: files).map(Help.didYouMean))
        }
    }

    /// An anchor that cannot be read would let nothing through, and nobody would know why.
    private mutating func checkContents(of file: PolicyText, _ value: CheckedValue) {
        guard let certificate = certificateBytes(file.bytes) else {
            problems.add(.notACertificate, at: value.span, .written(file.path))
            return
        }
        if !isCertificate(certificate) {
            problems.add(.certificateUnreadable, at: value.span, .written(file.path))
        }
    }
}

/// Apple's roots, which a policy may call by name.
enum BuiltInRoot: String, CaseIterable {
    case appleRootCAG3 = "apple-root-ca-g3"
    case appleIncRoot = "apple-inc-root"

    var fingerprint: Digest256? {
        let anchor: TrustAnchor =
            switch self {
            case .appleRootCAG3: .appleRootCAG3
            case .appleIncRoot: .appleIncRoot
            }
        guard case .fingerprint(let fingerprint) = anchor.root else { return nil }
        return fingerprint
    }

    /// The list of `roots` in which it does something.
    var list: String {
        switch self {
        case .appleRootCAG3: "jws"
        case .appleIncRoot: "receipt"
        }
    }

    /// Whether a root is one of Apple's, by name or by fingerprint.
    static func isApples(_ root: TrustAnchor.Root) -> Bool {
        guard case .fingerprint(let fingerprint) = root else { return false }
        return allCases.contains { $0.fingerprint == fingerprint }
    }
}

/// The DER bytes of a certificate file, PEM or DER; nil if it is neither, or has several.
///
/// Only the outermost shape is looked at: one ASN.1 SEQUENCE that fills the file. Whether it is a
/// certificate in truth is for a `CertificateCheck` to say.
package func certificateBytes(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.first == 0x30 { return isOneSequence(bytes) ? bytes : nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let begins = lines.indices.filter { lines[$0] == "-----BEGIN CERTIFICATE-----" }
    let ends = lines.indices.filter { lines[$0] == "-----END CERTIFICATE-----" }
    guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else { return nil }
    let body = lines[(begins[0] + 1)..<ends[0]].joined()
    guard let decoded = Base64.standard.decode(Array(body.utf8)[...]), isOneSequence(decoded) else {
        return nil
    }
    return decoded
}

private func isOneSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
    guard lengthBytes <= 3, bytes.count >= 2 + lengthBytes else { return false }
    let length =
        lengthBytes == 0
        ? Int(bytes[1]) : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + lengthBytes + length
}
