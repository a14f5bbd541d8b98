internal import EntitlementModel
package import StrictJSON

/// An answer that does not tell a timeline; names the member that is missing or wrong.
package struct UnreadableTimeline: Error, Hashable {
    package let member: String
}

extension AccountChart {
    /// Reads the answer of `GET …/timeline`. Texts come out safe to show: they have passed through
    /// many hands.
    package init(_ answer: JSONValue) throws(UnreadableTimeline) {
        let fields = Fields(answer)
        account = try fields.text("account")
        at = try fields.instant("at")
        policy = try fields.text("policy")
        guard let revision = answer["revision"]?.int64 else {
            throw UnreadableTimeline(member: "revision")
        }
        self.revision = revision
        rights = try fields.list("rights", Right.init)
        units = try fields.list("units", Unit.init)
    }
}

extension AccountChart.Right {
    fileprivate init(_ fields: Fields) throws(UnreadableTimeline) {
        entitlement = try fields.text("entitlement")
        environment = try fields.text("environment")
        spans = try fields.list("spans", AccountChart.RightStretch.init)
    }
}

extension AccountChart.RightStretch {
    fileprivate init(_ fields: Fields) throws(UnreadableTimeline) {
        interval = try fields.interval()
        guard let decision = fields.value["decision"]?.bool else {
            throw UnreadableTimeline(member: "decision")
        }
        isGranted = decision
        state = fields.textIfAny("state")
        let source = Fields(fields.value["source"] ?? nil)
        if let product = source.textIfAny("product") {
            self.source = .product(product)
        } else if let grant = source.textIfAny("grant") {
            self.source = .grant(grant)
        }
        rule = try Fields(fields.value["rule"] ?? nil).text("name")
    }
}

extension AccountChart.Unit {
    fileprivate init(_ fields: Fields) throws(UnreadableTimeline) {
        environment = try fields.text("environment")
        let isLineage = fields.textIfAny("lineage") != nil
        number = try fields.text(isLineage ? "lineage" : "transaction")
        kind = try fields.text("kind")
        appleID = fields.textIfAny("apple_id")
        states = try fields.list("states", AccountChart.StateStretch.init)
        owners = try fields.list("owners", AccountChart.Ownership.init)
    }
}

extension AccountChart.StateStretch {
    fileprivate init(_ fields: Fields) throws(UnreadableTimeline) {
        interval = try fields.interval()
        state = try fields.text("state")
        reason = fields.textIfAny("expiry_reason")
        product = try fields.text("product")
        transaction = try fields.text("transaction")
    }
}

extension AccountChart.Ownership {
    fileprivate init(_ fields: Fields) throws(UnreadableTimeline) {
        account = try fields.text("account")
        interval = try fields.interval()
    }
}

/// The members of one object of the answer.
private struct Fields {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    func textIfAny(_ key: String) -> String? { value[key]?.string?.shown }

    func text(_ key: String) throws(UnreadableTimeline) -> String {
        guard let text = textIfAny(key) else { throw UnreadableTimeline(member: key) }
        return text
    }

    func instant(_ key: String) throws(UnreadableTimeline) -> Instant {
        guard let instant = value[key]?.string.flatMap({ Instant(rfc3339: $0) }) else {
            throw UnreadableTimeline(member: key)
        }
        return instant
    }

    /// `from` and `until`, where null is for ever.
    func interval() throws(UnreadableTimeline) -> Interval {
        let isOpen = value["from"]?.isNull == true
        let start = isOpen ? Instant.distantPast : try instant("from")
        let end = value["until"]?.isNull == true ? nil : try instant("until")
        guard let interval = Interval(from: start, to: end) else {
            throw UnreadableTimeline(member: "until")
        }
        return interval
    }

    func list<Item>(
        _ key: String, _ read: (Fields) throws(UnreadableTimeline) -> Item
    ) throws(UnreadableTimeline) -> [Item] {
        guard let elements = value[key]?.elements else { throw UnreadableTimeline(member: key) }
        var items: [Item] = []
        for element in elements { items.append(try read(Fields(element))) }
        return items
    }
}
