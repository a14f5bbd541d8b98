internal import PolicyLoading

/// The keys and values of a file, each with the keys that lead to it, as the reader of policies
/// reads them; none while the file is no YAML.
struct ScannedFile: Sendable {
    let bytes: [UInt8]
    let tokens: [ScannedToken]
    /// The names among them.
    let uses: [NameUse]
    /// Positions of values by the keys that lead to them, and of keys by those of their map: a
    /// catalogue has tens of thousands, of which an answer wants a few again and again.
    private let valuesByKey: [[PolicyStep]: [Int]]
    private let keysByMap: [[PolicyStep]: [Int]]

    init(_ document: TextDocument) {
        self.init(bytes: document.bytes)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
        tokens = ScannedToken.all(in: bytes)
        uses = tokens.compactMap { NameUse($0) }
        var (values, keys): ([[PolicyStep]: [Int]], [[PolicyStep]: [Int]]) = ([:], [:])
        for (position, token) in tokens.enumerated() {
            switch token.role {
            case .key: keys[Array(token.path.dropLast()), default: []].append(position)
            case .value: values[Self.lastKey(of: token.path), default: []].append(position)
            }
        }
        (valuesByKey, keysByMap) = (values, keys)
    }

    /// What is at a byte; of two that touch there, the one that begins.
    func token(at offset: Int) -> ScannedToken? {
        let near = tokens.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
        return near.last
    }

    /// The keys of the map that a path leads to.
    func keys(of path: [PolicyStep]) -> [ScannedToken] {
        (keysByMap[path] ?? []).map { tokens[$0] }
    }

    /// The values behind the key that a path leads to: one, or the elements of a list.
    func values(of path: [PolicyStep]) -> [ScannedToken] {
        (valuesByKey[Self.lastKey(of: path)] ?? []).map { tokens[$0] }
            .filter { $0.path.starts(with: path) }
    }

    /// The one value that a path leads to.
    func value(of path: [PolicyStep]) -> ScannedToken? {
        values(of: path).first { $0.path == path }
    }

    /// A path without the elements at its end.
    private static func lastKey(of path: [PolicyStep]) -> [PolicyStep] {
        var path = path
        while let last = path.last, last.key == nil { path.removeLast() }
        return path
    }
}

/// A key or a value.
struct ScannedToken: Hashable, Sendable {
    enum Role: Sendable {
        case key
        case value
    }

    let role: Role
    /// Of a key with itself at the end.
    let path: [PolicyStep]
    /// Without quotes.
    let text: String
    /// The bytes, with quotes.
    let range: Range<Int>

    /// Those of a file in the order of its lines; none where it cannot be read.
    fileprivate static func all(in bytes: [UInt8]) -> [ScannedToken] {
        var problems = ProblemList()
        let text = PolicyText(path: "", bytes: bytes)
        guard let root = readYAML(text, into: &problems) else { return [] }
        var reader = Reader(bytes)
        reader.read(root, [])
        return reader.tokens
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var lineStarts = [0]
        var tokens: [ScannedToken] = []

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            for (index, byte) in bytes.enumerated() where byte == 0x0A {
                lineStarts.append(index + 1)
            }
        }

        mutating func read(_ node: YAMLNode, _ path: [PolicyStep]) {
            switch node.content {
            case .text(let text, _):
                if !node.isEmpty { add(.value, path, text, node.span) }
            case .list(let nodes):
                for (index, node) in nodes.enumerated() { read(node, path + [.element(index)]) }
            case .map(let entries):
                for entry in entries {
                    add(.key, path + [.key(entry.key)], entry.key, entry.keySpan)
                    read(entry.value, path + [.key(entry.key)])
                }
            case .rejected: break
            }
        }

        private mutating func add(
            _ role: Role, _ path: [PolicyStep], _ text: String, _ span: SourceSpan
        ) {
            let start = offset(of: span.start)
            tokens.append(
                ScannedToken(
                    role: role, path: path, text: text,
                    range: start..<max(start, offset(of: span.end))))
        }

        /// Columns count Unicode scalars.
        private func offset(of mark: SourceMark) -> Int {
            var offset = lineStarts[min(max(1, mark.line), lineStarts.count) - 1]
            for _ in 1..<max(2, mark.column) where mark.column > 1 && offset < bytes.count {
                offset += 1
                while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            }
            return offset
        }
    }
}

/// A name in a policy file: where it gets its meaning, or where it is used.
struct NameUse: Hashable, Sendable {
    let kind: PolicyNameKind
    let isDefinition: Bool
    let token: ScannedToken

    /// Whether this use means a name: a pattern means each that it matches.
    func means(_ name: String) -> Bool {
        let parts = token.text.split(separator: "*", omittingEmptySubsequences: false)
        guard kind == .product, !isDefinition, parts.count > 1 else { return token.text == name }
        var rest = name[...]
        for (index, part) in parts.enumerated() where !part.isEmpty {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                return rest.hasSuffix(part)
            } else if let found = rest.firstRange(of: part) {
                rest = rest[found.upperBound...]
            } else {
                return false
            }
        }
        return true
    }

    /// Nil for a token that is no name.
    init?(_ token: ScannedToken) {
        let place: PolicyPlace?
        switch token.role {
        case .key:
            // Names are the keys of the tables at the top of a file.
            guard token.path.count == 2 else { return nil }
            place = PolicyPlace(at: token.path.dropLast())
            guard let kind = place?.tableNames else { return nil }
            (self.kind, isDefinition) = (kind, true)
        case .value:
            place = PolicyPlace(at: token.path)
            guard let place, let kind = place.names else { return nil }
            (self.kind, isDefinition) = (kind, place.isDefinition)
        }
        self.token = token
    }
}

/// The files of a policy, with what is in them.
struct PolicyIndex: Sendable {
    struct Entry: Sendable {
        let file: PolicyFile
        let scan: ScannedFile
    }

    /// By name.
    let entries: [Entry]

    /// The places where a name gets its meaning. A level has one in each group that has it;
    /// `group` names the ones that are meant, where it says so.
    func definitions(
        of use: NameUse, groups: [String]
    ) -> [(entry: Entry, use: NameUse)] {
        uses { other in
            guard other.isDefinition, other.kind == use.kind, use.means(other.token.text) else {
                return false
            }
            return use.kind != .level || groups.isEmpty
                || groups.contains(other.token.path[1].key ?? "")
        }
    }

    func uses(_ isMeant: (NameUse) -> Bool) -> [(entry: Entry, use: NameUse)] {
        entries.flatMap { entry in
            entry.scan.uses.filter(isMeant).map { (entry, $0) }
        }
    }

    /// The names of a kind, each with the place that defines it first.
    func names(of kind: PolicyNameKind) -> [(name: String, entry: Entry, use: NameUse)] {
        var seen: Set<String> = []
        return uses { $0.kind == kind && ($0.isDefinition || kind == .stack) }
            .filter { seen.insert($0.use.token.text).inserted }
            .map { ($0.use.token.text, $0.entry, $0.use) }
    }

    /// The texts behind a key of what a path leads to, in whatever file that is.
    func texts(_ path: [PolicyStep]) -> [String] {
        entries.flatMap { $0.scan.values(of: path).map(\.text) }
    }

    /// The keys and values behind a key, as `{USD: 9.99}` has them.
    func pairs(_ path: [PolicyStep]) -> [(String, String)] {
        entries.flatMap { entry in
            entry.scan.keys(of: path).compactMap { key in
                entry.scan.value(of: key.path).map { (key.text, $0.text) }
            }
        }
    }
}

extension ScannedFile {
    /// The groups that a map names next to something in it.
    func groups(beside path: [PolicyStep]) -> [String] {
        let map = path.lastIndex { $0.key != nil }.map { Array(path[..<$0]) } ?? []
        return values(of: map + [.key("group")]).map(\.text)
    }
}
