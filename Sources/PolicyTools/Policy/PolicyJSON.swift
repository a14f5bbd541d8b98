internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
package import StrictJSON

extension PolicyTables {
    /// Stable, for scripts: the tables that are asked for. A cell has its rules in the order in
    /// which they are tried.
    package func json(_ showing: PolicyShowing) -> JSONValue {
        var members: [(String, JSONValue?)] = [("policy", .string(policy.digest.hexadecimal))]
        for part in parts(showing) {
            members += self.members(part, showing)
        }
        return .object(known: members)
    }

    private func members(_ part: PolicyPart, _ showing: PolicyShowing) -> [(String, JSONValue?)] {
        switch part {
        case .access:
            [
                ("cells", .array(access.cells.map { json($0, showing) })),
                ("credit_rules", .array(access.deliveries.map { access.rules[$0.rule].json() })),
                ("idle_rules", .array(access.idle.map { access.rules[$0].json() })),
                ("open", .array(open.map(json))),
            ]
        case .app: [("app_purchase", .array(app.map { $0.json() }))]
        case .products:
            [("products", .array(products.shelves.flatMap(\.products).map(\.json)))]
        case .entitlements:
            [
                ("entitlements", .array(products.entitlements.map(json))),
                ("credits", .array(products.credits.map(json))),
            ]
        case .switches: [("account_switch", .array(switches.groups.map(json)))]
        case .dates: [("dates", .array(dates.rows.map { json($0, showing.now) }))]
        case .refunds: [("refund_answers", .array(refundAnswers.map { $0.json() }))]
        case .settings: [("settings", policy.settings)]
        }
    }

    private func json(_ cell: AccessTable.Cell, _ showing: PolicyShowing) -> JSONValue {
        var json: JSONValue = [
            "kind": .string(cell.kind.rawValue), "state": .string(cell.state.rawValue),
            "verdict": .string(cell.verdict.rawValue),
            "rules": .array(cell.deciders.map { access.rules[$0.rule].json(in: $0) }),
        ]
        json["accounts"] = showing.accounts(in: cell).map { .integer($0) }
        return json
    }

    private func json(_ right: OpenRight) -> JSONValue {
        [
            "name": .string(right.reference.name), "file": .string(right.reference.file),
            "line": .integer(Int64(right.reference.line)),
            "entitlements": .array(right.entitlements.map { .string($0.text) }),
            "windows": .array(right.windows.map(\.json)),
        ]
    }

    private func json(_ right: ProductTable.GivenRight) -> JSONValue {
        .object(known: [
            ("name", .string(right.name.text)),
            ("title", right.title.map { .string($0.english) }),
            ("title_zh", right.title?.chinese.map { .string($0) }),
            ("products", .array(right.products.map { .string($0.text) })),
            ("open", .array(right.open.map { .string($0.reference.name) })),
        ])
    }

    private func json(_ credit: ProductTable.GivenCredit) -> JSONValue {
        .object(known: [
            ("name", .string(credit.name.text)),
            ("title", .string(credit.definition.title.english)),
            ("title_zh", credit.definition.title.chinese.map { .string($0) }),
            ("on_refund", .string(credit.definition.onRefund.rawValue)),
            ("warn_before", credit.definition.warnBefore.map { .string($0.text) }),
            (
                "products",
                .array(
                    credit.products.map {
                        .object(
                            known: [
                                ("product", .string($0.product.text)),
                                ("units", .integer($0.units)),
                            ] + $0.terms.json)
                    })
            ),
        ])
    }

    private func json(_ group: SwitchTable.Group) -> JSONValue {
        func cells(_ cells: [SwitchTable.Cell]) -> JSONValue {
            .array(
                cells.map { cell in
                    [
                        "token": .string(cell.token.rawValue),
                        "moment": .string(cell.moment.rawValue),
                        "rules": .array(
                            cell.deciders.map { switches.rules[$0.rule].json(in: $0) }),
                    ]
                })
        }
        return [
            "kinds": .array(group.kinds.map { .string($0.rawValue) }),
            "products": .array(group.products.map { .string($0.text) }),
            "owned": cells(group.owned), "unowned": cells(group.unowned),
        ]
    }

    private func json(_ row: DateTable.Row, _ now: Instant) -> JSONValue {
        .object(known: [
            ("field", .string(row.meaning.rawValue)),
            ("name", row.reference.map { .string($0.name) }),
            ("list", row.list.map { .string($0.rawValue) }),
            ("file", row.reference.map { .string($0.file) }),
            ("line", row.reference.map { .integer(Int64($0.line)) }),
            ("is_exception", .bool(row.isException)),
            ("products", .array(row.products.map { .string($0.text) })),
            ("entitlements", .array(row.entitlements.map { .string($0.text) })),
            ("windows", .array(row.windows.map(\.json))),
            ("phase", .string(row.phase(at: now).rawValue)),
        ])
    }
}

extension Interval {
    /// Without a beginning or an end where it has none.
    fileprivate var json: JSONValue {
        .object(known: [
            ("from", start == .distantPast ? nil : .string(start.rfc3339)),
            ("until", end.map { .string($0.rfc3339) }),
        ])
    }
}

extension Policy {
    fileprivate var settings: JSONValue {
        let environments = StoreEnvironment.allCases.map { environment in
            JSONMember(
                environment.rawValue,
                .string((self.environments[environment] ?? .refused).rawValue))
        }
        func members(_ settings: [PolicySetting]) -> [(String, JSONValue?)] {
            settings.map { setting in (setting.member, self[setting].map { .string($0.text) }) }
        }
        return .object(
            known: [
                ("bundle_id", .string(app.bundleID.text)),
                ("apple_id", app.appleID.map { .integer($0) }),
            ] + members(PolicySetting.ofApp) + [("environments", .object(environments))]
                + members(PolicySetting.others))
    }
}

extension JSONValue {
    /// Of members that may have no value; those are omitted.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
    }
}

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
        var members = members(in: decider) + effectMembers
        if list == .access, let decider {
            members.append(("counts_in", .string(decider.reach.rawValue)))
        }
        return .object(known: members)
    }

    private var effectMembers: [(String, JSONValue?)] {
        switch effect {
        case .access(let effect, let only):
            return [
                ("effect", .string(effect.rawValue)),
                ("only", only.map { .array($0.map { .string($0.text) }) }),
            ]
        case .claim(let verb, let limits):
            var maximum: JSONValue?
            if case .share(let number) = verb { maximum = .integer(Int64(number)) }
            return [("then", .string(verb.word)), ("max", maximum), ("limits", limits.json)]
        case .gives(let names): return [("grants", .array(names.map { .string($0.text) }))]
        case .refund(let answer): return [("then", .string(answer.rawValue))]
        case .owns: return [("then", .string("own"))]
        }
    }

    /// What a claim rule does and when, without its name and place.
    var outcome: JSONValue {
        func described(_ condition: Condition) -> JSONValue? {
            condition.described.isEmpty
                ? nil : .array(condition.described.map { .string($0) })
        }
        return .object(
            known: effectMembers + [
                ("when", described(when)), ("unless", unless.flatMap(described)),
            ])
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
            JSONMember(currency, .string(thousandths.decimalText()))
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
            ("all_except", allExcept.map { .array($0.sorted().map { .string($0.text) }) }),
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
        case .credit(let name, let units, let terms):
            .object(
                known: [("credit", .string(name.text)), ("units", .integer(units))] + terms.json)
        }
    }
}

extension CreditTerms {
    fileprivate var json: [(String, JSONValue?)] {
        let offers = OfferWord.allCases.compactMap { offer in
            underOffer[offer].map { JSONMember(offer.rawValue, .integer($0)) }
        }
        return [
            ("every", every.map { .string($0.text) }),
            ("under_offer", offers.isEmpty ? nil : .object(offers)),
            ("expires", expires.text.map { .string($0) }),
        ]
    }
}
