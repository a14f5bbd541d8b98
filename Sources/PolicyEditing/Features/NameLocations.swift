internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// Where names are defined and used, and what a file has in it.
extension LanguageServer {
    mutating func definition(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let (document, offset) = try documentPlace(params)
        let index = index(of: document)
        guard let use = use(at: offset, document, index) else { return .null }
        return locations(index.definitions(of: use.0, groups: use.groups))
    }

    mutating func references(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let (document, offset) = try documentPlace(params)
        let index = index(of: document)
        guard let (use, groups) = use(at: offset, document, index) else { return .null }
        let includesDefinition = params["context"]?["includeDeclaration"]?.bool ?? true
        let found = index.uses { other in
            guard other.kind == use.kind, !other.isDefinition || includesDefinition else {
                return false
            }
            return other.means(use.token.text) || use.means(other.token.text)
        }
        guard use.kind == .level, !groups.isEmpty else { return locations(found) }
        return locations(
            found.filter { entry, other in
                let own = owners(of: other, in: entry.scan)
                return own.isEmpty || !Set(own).isDisjoint(with: groups)
            })
    }

    /// The name at a place, and of a level the groups that it is one of.
    private func use(
        at offset: Int, _ document: OpenDocument, _ index: PolicyIndex
    ) -> (NameUse, groups: [String])? {
        let scan = scan(of: document, in: index)
        guard let token = scan.token(at: offset), let use = NameUse(token) else { return nil }
        return (use, owners(of: use, in: scan))
    }

    private func owners(of use: NameUse, in scan: ScannedFile) -> [String] {
        guard use.kind == .level else { return [] }
        if use.isDefinition { return use.token.path[1].key.map { [$0] } ?? [] }
        return scan.groups(beside: use.token.path)
    }

    private func locations(
        _ found: [(entry: PolicyIndex.Entry, use: NameUse)]
    ) -> JSONValue {
        .array(
            found.prefix(1_000).map { entry, use in
                [
                    "uri": .string(entry.file.uri),
                    "range": entry.file.document.range(use.token.range, encoding).json,
                ]
            })
    }

    // MARK: Symbols

    /// The sections of a file, with the names and rules in them.
    mutating func symbols(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let document = try openDocument(params)
        let tokens = scan(of: document, in: index(of: document)).tokens
        var children: [PolicyStep: [JSONValue]] = [:]
        for (position, token) in tokens.enumerated() where token.path.count > 1 {
            let isRow = token.role == .key && token.path.count == 2
            guard isRow || token.isRuleName else { continue }
            children[token.path[0], default: []].append(
                symbol(isRow ? .field : .rule, tokens, position, document, []))
        }
        var symbols: [JSONValue] = []
        for (position, token) in tokens.enumerated()
        where token.role == .key && token.path.count == 1 {
            let own = children.removeValue(forKey: token.path[0]) ?? []
            symbols.append(symbol(.section, tokens, position, document, own))
            if !client.nestsSymbols { symbols += own }
        }
        return .array(symbols)
    }

    /// The protocol's numbers.
    private enum SymbolKind: Int64 {
        case section = 3
        case field = 8
        case rule = 24
    }

    private func symbol(
        _ kind: SymbolKind, _ tokens: [ScannedToken], _ position: Int, _ document: OpenDocument,
        _ children: [JSONValue]
    ) -> JSONValue {
        let token = tokens[position]
        let path = kind == .rule ? token.path.dropLast() : token.path[...]
        // What belongs to it stands around it.
        let before = tokens[..<position].reversed().prefix { $0.path.starts(with: path) }
        let after = tokens[position...].prefix { $0.path.starts(with: path) }
        let start = before.last?.range.lowerBound ?? token.range.lowerBound
        let end = after.last?.range.upperBound ?? token.range.upperBound
        let name = token.text.shown(atMost: 200)
        let range = document.text.range(start..<end, encoding).json
        guard client.nestsSymbols else {
            return [
                "name": .string(name), "kind": .integer(kind.rawValue),
                "location": ["uri": .string(document.uri), "range": range],
            ]
        }
        return [
            "name": .string(name.isEmpty ? "-" : name), "kind": .integer(kind.rawValue),
            "range": range,
            "selectionRange": document.text.range(token.range, encoding).json,
            "children": .array(children),
        ]
    }
}

extension ScannedToken {
    /// The name of a rule in a list at the top of a file.
    fileprivate var isRuleName: Bool {
        role == .value && path.count == 3 && path[1].key == nil && path[2] == .key("name")
    }
}
