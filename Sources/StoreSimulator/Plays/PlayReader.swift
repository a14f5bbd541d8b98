internal import Crypto
package import EntitlementModel
internal import Yams

extension Play {
    /// Reads a file. All lines are looked at, so that all mistakes are told at once.
    package static func read(_ text: String) throws(PlayMistakes) -> Play {
        var reader = PlayReader()
        guard let play = reader.play(text), reader.mistakes.isEmpty else {
            throw PlayMistakes(mistakes: reader.mistakes.sorted { $0.line < $1.line })
        }
        return play
    }
}

/// Everything that is wrong with a file, by line.
package struct PlayMistakes: Error, Sendable {
    package let mistakes: [PlayMistake]
}

private struct PlayReader {
    private(set) var mistakes: [PlayMistake] = []

    mutating func play(_ text: String) -> Play? {
        guard let node = try? Yams.compose(yaml: text) else {
            report(1, .notYAML)
            return nil
        }
        let known = [
            "why", "ids", "environment", "app", "products", "renewals", "steps", "expect",
        ]
        guard let root = mapping(node, "play", known) else { return nil }
        let environmentName = string(root["environment"]) ?? StoreEnvironment.production.rawValue
        let environment = StoreEnvironment(rawValue: environmentName)
        if environment == nil {
            report(line(root["environment"]), .notAWord(key: "environment", value: environmentName))
        }
        let renewals = string(root["renewals"])
        if let renewals, renewals != "automatic", renewals != "told" {
            report(line(root["renewals"]), .notAWord(key: "renewals", value: renewals))
        }
        let app = root["app"].flatMap { mapping($0, "app", ["bundle_id", "apple_id"]) }
        let products = products(root["products"], line: line(node))
        let steps = steps(root["steps"], products, line: line(node))
        let expectations = texts(root["expect"], "expect").compactMap { expectation($0, $1) }
        let name = string(root["ids"]).map { "ids " + $0 } ?? text
        return Play(
            digest: Digest256(hash: SHA256.hash(data: Array(name.utf8))),
            why: string(root["why"]) ?? "", environment: environment ?? .production,
            bundleID: string(app?["bundle_id"]) ?? ExampleApp.bundleID,
            appAppleID: string(app?["apple_id"]).flatMap { Int64($0) } ?? ExampleApp.appleID,
            products: products, steps: steps, isAutomatic: renewals == "automatic",
            expectations: expectations)
    }

    private mutating func products(_ node: Node?, line: Int) -> [String: PlayProduct] {
        guard let node else {
            report(line, .missingKey("products"))
            return [:]
        }
        guard let all = node.mapping else {
            report(self.line(node), .notAMapping("products"))
            return [:]
        }
        var products: [String: PlayProduct] = [:]
        for (key, value) in all {
            guard let name = key.string, let product = product(name, value) else { continue }
            products[name] = product
        }
        return products
    }

    private mutating func product(_ name: String, _ node: Node) -> PlayProduct? {
        let known = ["id", "kind", "group", "period", "price"]
        guard let keys = mapping(node, name, known) else { return nil }
        guard let word = string(keys["kind"]) else {
            report(line(node), .missingKey("kind"))
            return nil
        }
        guard let kind = ProductKind(rawValue: word) else {
            report(line(keys["kind"]), .notAWord(key: "kind", value: word))
            return nil
        }
        var product = PlayProduct(
            id: string(keys["id"]) ?? name, kind: kind, group: string(keys["group"]),
            period: string(keys["period"]).flatMap { Period($0) }.flatMap {
                $0.count > 0 ? $0 : nil
            })
        if let text = string(keys["price"]) {
            product.price = Price(play: text)
            if product.price == nil { report(line(keys["price"]), .badPrice(text)) }
        }
        if kind == .autoRenewable, product.group == nil || product.period == nil {
            report(line(node), .incompleteSubscription(name))
        }
        return product
    }

    private mutating func steps(
        _ node: Node?, _ products: [String: PlayProduct], line: Int
    ) -> [PlayStep] {
        if node == nil { report(line, .missingKey("steps")) }
        var last = Instant.distantPast
        return texts(node, "steps").compactMap { text, line in
            guard let step = attempt({ () throws(PlayMistake) in try PlayStep(text, line: line) })
            else { return nil }
            if step.at < last { report(line, .earlierThanBefore) }
            if !Play.dates.contains(step.at) { report(line, .outsidePlay) }
            last = max(last, step.at)
            return step
        }
    }

    private mutating func expectation(_ text: String, _ line: Int) -> PlayExpectation? {
        attempt { () throws(PlayMistake) in
            var words = try PlayWords(text, line: line)
            let account = try words.next()
            let name = try words.next()
            let claim: PlayExpectation.Claim
            if words.take("is granted") {
                claim = .granted(true)
            } else if words.take("is denied") {
                claim = .granted(false)
            } else if words.take("is") {
                claim = .balance(try words.number())
            } else {
                throw words.notUnderstood
            }
            try words.end()
            return PlayExpectation(
                line: line, account: account, name: name, at: words.at, claim: claim)
        }
    }

    /// The lines of a list, with their places.
    private mutating func texts(_ node: Node?, _ key: String) -> [(String, Int)] {
        guard let node else { return [] }
        guard let items = node.sequence else {
            report(line(node), .notAList(key))
            return []
        }
        return items.compactMap { item in
            if let text = item.string { return (text, line(item)) }
            report(line(item), .notAList(key))
            return nil
        }
    }

    private mutating func mapping(_ node: Node, _ name: String, _ known: [String]) -> Node.Mapping?
    {
        guard let mapping = node.mapping else {
            report(line(node), .notAMapping(name))
            return nil
        }
        for key in mapping.keys where !known.contains(key.string ?? "") {
            report(line(key), .unknownKey(key.string ?? ""))
        }
        return mapping
    }

    private mutating func attempt<Value>(_ read: () throws(PlayMistake) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            mistakes.append(error)
            return nil
        }
    }

    private mutating func report(_ line: Int, _ reason: PlayMistake.Reason) {
        mistakes.append(PlayMistake(line: line, reason))
    }

    private func string(_ node: Node?) -> String? { node?.scalar?.string }

    private func line(_ node: Node?) -> Int { node?.mark?.line ?? 1 }
}

extension Price {
    /// Reads `9.99 USD`: up to three decimals and a currency.
    package init?(play text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1].utf8.count == 3,
            words[1].allSatisfy({ $0.isASCII && $0.isUppercase })
        else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]), (0...1_000_000_000).contains(whole)
        else { return nil }
        let decimals = parts.count == 2 ? parts[1] : "0"
        let padded = decimals + String(repeating: "0", count: max(0, 3 - decimals.utf8.count))
        guard padded.utf8.count == 3, padded.allSatisfy(\.isNumber), let rest = Int64(padded)
        else { return nil }
        self.init(milliunits: whole * 1_000 + rest, currency: String(words[1]))
    }
}
