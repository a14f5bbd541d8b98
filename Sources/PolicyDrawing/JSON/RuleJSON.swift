internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON

extension TableRule {
    /// What every list says of a rule: name, place, conditions as a policy writes them.
    func members(in decider: Decider?) -> [(String, JSONValue?)] {
        let hasExceptions = decider?.isExcepted ?? (unless != nil)
        let isCell = list == .access && decider != nil
        func described(_ condition: Condition) -> JSONValue {
            .array(
                (isCell ? condition.describedBesideKindAndState : condition.described)
                    .map { .string($0) })
        }
        return [
            ("name", .string(reference.name)), ("file", .string(reference.file)),
            ("line", .integer(Int64(reference.line))), ("when", described(when)),
            ("unless", hasExceptions ? unless.map(described) ?? .array([]) : .array([])),
        ]
    }

    func json(in decider: Decider? = nil) -> JSONValue {
        var members = members(in: decider)
        switch effect {
        case .access(let effect, let only):
            members.append(("effect", .string(effect.rawValue)))
            members.append(("only", only.map { .array($0.map { .string($0.text) }) }))
        case .claim(let verb, let limits):
            members.append(("then", .string(verb.word)))
            if case .share(let maximum) = verb {
                members.append(("max", .integer(Int64(maximum))))
            }
            members.append(("limits", limits.json))
        case .refund(let answer): members.append(("then", .string(answer.rawValue)))
        case .owns: members.append(("then", .string("own")))
        }
        if list == .access, let decider {
            members.append(("counts_in", .string(decider.reach.rawValue)))
        }
        return .object(known: members)
    }
}

extension TableRule {
    /// What a claim rule does and when, without its name and place.
    var outcome: JSONValue {
        var members: [(String, JSONValue?)] = []
        if case .claim(let verb, let limits) = effect {
            members.append(("then", .string(verb.word)))
            if case .share(let maximum) = verb {
                members.append(("max", .integer(Int64(maximum))))
            }
            members.append(("limits", limits.json))
        } else {
            members.append(("then", .string("own")))
        }
        func described(_ condition: Condition) -> JSONValue? {
            condition.described.isEmpty
                ? nil : .array(condition.described.map { .string($0) })
        }
        members.append(("when", described(when)))
        members.append(("unless", unless.flatMap(described)))
        return .object(known: members)
    }
}

extension ClaimLimits {
    fileprivate var json: JSONValue? {
        guard cooldown != nil || moves != nil else { return nil }
        return .object(known: [
            ("cooldown", cooldown.map { .string($0.text) }),
            ("moves", moves.map { .string("\($0.count) per \($0.window.text)") }),
            ("else", .string(excess.rawValue)),
        ])
    }
}

extension Product {
    var json: JSONValue {
        let prices = prices.sorted { $0.key < $1.key }.map { currency, thousandths in
            JSONMember(currency, .string(thousandths.decimalText))
        }
        return .object(known: [
            ("id", .string(id.text)), ("kind", .string(kind.rawValue)),
            ("title", title.map { .string($0.english) }),
            ("title_zh", title?.chinese.map { .string($0) }),
            ("group", group.map { .string($0.text) }),
            ("level", level.map { .string($0.text) }),
            ("period", period.map { .string($0.text) }),
            ("duration", duration.map { .string($0.text) }),
            ("stacking", duration == nil ? nil : .string(stacking.rawValue)),
            ("price", prices.isEmpty ? nil : .object(prices)),
            ("grants", .array(grants.map(\.json))),
            ("retired", retiredAt.map { .string($0.rfc3339) }),
        ])
    }
}

extension ProductGrant {
    fileprivate var json: JSONValue {
        switch self {
        case .entitlement(let name, let lasting):
            .object(known: [
                ("entitlement", .string(name.text)), ("for", lasting.map { .string($0.text) }),
            ])
        case .credit(let name, let units):
            ["credit": .string(name.text), "units": .integer(units)]
        }
    }
}

extension Int64 {
    /// Thousandths as a number with as few decimals as it has.
    fileprivate var decimalText: String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = String(String(1_000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return (self < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
    }
}
