internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
package import StrictJSON

extension PolicyTables {
    /// Stable, for scripts: the tables that are asked for. A cell has its rules in the order in
    /// which they are tried.
    package func json(_ showing: PolicyShowing) -> JSONValue {
        var members: [(String, JSONValue?)] = [("policy", .string(digest.hexadecimal))]
        for part in PolicyPart.allCases where showing.parts.contains(part) {
            members += self.members(part, showing.now)
        }
        return .object(known: members)
    }

    private func members(_ part: PolicyPart, _ now: Instant) -> [(String, JSONValue?)] {
        switch part {
        case .access:
            [
                ("cells", .array(access.cells.map(json))),
                ("credit_rules", .array(access.deliveries.map { access.rules[$0.rule].json() })),
                ("idle_rules", .array(access.idle.map { access.rules[$0].json() })),
                ("open", .array(open.map(json))),
            ]
        case .products:
            [("products", .array(products.shelves.flatMap(\.products).map(\.json)))]
        case .entitlements:
            [
                ("entitlements", .array(products.entitlements.map(json))),
                ("credits", .array(products.credits.map(json))),
            ]
        case .switches: [("account_switch", .array(switches.groups.map(json)))]
        case .dates: [("dates", .array(dates.rows.map { json($0, now) }))]
        case .refunds: [("refund_answers", .array(refundAnswers.map { $0.json() }))]
        case .settings: [("settings", settings.json)]
        }
    }

    private func json(_ cell: AccessTable.Cell) -> JSONValue {
        [
            "kind": .string(cell.kind.rawValue), "state": .string(cell.state.rawValue),
            "verdict": .string(cell.verdict.rawValue),
            "rules": .array(cell.deciders.map { access.rules[$0.rule].json(in: $0) }),
        ]
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
            (
                "products",
                .array(
                    credit.products.map {
                        ["product": .string($0.product.text), "units": .integer($0.units)]
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

extension PolicyTables.Settings {
    fileprivate var json: JSONValue {
        let environments = StoreEnvironment.allCases.map { environment in
            JSONMember(
                environment.rawValue,
                .string((self.environments[environment] ?? .refused).rawValue))
        }
        return .object(known: [
            ("bundle_id", .string(app.bundleID.text)),
            ("apple_id", app.appleID.map { .integer($0) }),
            ("account_token", .string(app.accountToken.rawValue)),
            ("environments", .object(environments)), ("leeway", .string(leeway.text)),
            ("claims_from", claimsFrom.map { .string($0.rfc3339) }),
            ("pay_within", .string(orders.payWithin.text)),
            ("match_window", .string(orders.matchWindow.text)),
            ("late_payment", .string(orders.latePayment.rawValue)),
            ("duplicate_scope", .string(duplicates.scope.rawValue)),
            ("before_purchase", .string(duplicates.beforePurchase.rawValue)),
            ("keep", .string(duplicates.keep.rawValue)),
        ])
    }
}

extension JSONValue {
    /// Of members that may have no value; those are omitted.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
    }
}
