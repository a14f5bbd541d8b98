internal import PolicyLoading

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

    init(_ kind: PolicyNameKind, _ token: ScannedToken) {
        (self.kind, isDefinition) = (kind, true)
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
