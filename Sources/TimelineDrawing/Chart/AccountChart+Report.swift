package import EntitlementAnswers
internal import EntitlementModel

extension AccountChart {
    /// What a report tells. Texts come out safe to show: they have passed through many hands.
    package init(_ report: TimelineReport) {
        account = report.frame.account.text
        at = report.frame.at
        policy = report.frame.policy.hexadecimal
        revision = report.frame.revision.number
        rights = report.rights.map(Right.init)
        units = report.units.map(Unit.init)
    }
}

extension AccountChart.Right {
    fileprivate init(_ right: RightHistory) {
        entitlement = right.entitlement.text
        environment = right.environment.rawValue
        spans = right.spans.map(AccountChart.RightStretch.init)
    }
}

extension AccountChart.RightStretch {
    fileprivate init(_ span: EntitlementAnswers.RightStretch) {
        interval = span.interval
        isGranted = span.decision
        state = span.state?.rawValue
        if let product = span.source?.product {
            source = .product(product.text)
        } else if let grant = span.source?.grant {
            source = .grant(grant.text)
        }
        rule = span.rule.name.shown
    }
}

extension AccountChart.Unit {
    fileprivate init(_ unit: UnitAnswer) {
        environment = unit.unit.environment.rawValue
        number = unit.unit.lineageID?.text ?? unit.unit.purchaseID?.text ?? ""
        kind = unit.kind.word.shown
        appleID = unit.appleID?.text
        states = unit.states.map(AccountChart.StateStretch.init)
        owners = unit.owners.map {
            AccountChart.Ownership(account: $0.account.text, interval: $0.interval)
        }
    }
}

extension AccountChart.StateStretch {
    fileprivate init(_ state: StateAnswer) {
        interval = state.interval
        self.state = state.state.rawValue
        reason = state.expiryReason?.rawValue
        product = state.product.text
        transaction = state.transaction.text
    }
}
