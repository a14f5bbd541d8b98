internal import EntitlementModel
internal import PolicyAnalysis

/// The moments of which a table of claims says the same, side by side.
struct SwitchColumns {
    struct Column {
        let moments: [ClaimMoment]
        /// By token, in the order of the words.
        let cells: [SwitchTable.Cell]
    }

    let columns: [Column]

    init(_ cells: [SwitchTable.Cell]) {
        var columns: [Column] = []
        for moment in ClaimMoment.allCases {
            let own = cells.filter { $0.moment == moment }
            if let index = columns.firstIndex(where: { $0.cells.saysSame(as: own) }) {
                columns[index] = Column(
                    moments: columns[index].moments + [moment], cells: columns[index].cells)
            } else {
                columns.append(Column(moments: [moment], cells: own))
            }
        }
        self.columns = columns
    }

    /// The tokens of a column of which it says the same, together.
    static func rows(_ column: Column) -> [(tokens: [TokenMatch], deciders: [Decider])] {
        var rows: [(tokens: [TokenMatch], deciders: [Decider])] = []
        for cell in column.cells {
            if let index = rows.firstIndex(where: { $0.deciders == cell.deciders }) {
                rows[index].tokens.append(cell.token)
            } else {
                rows.append(([cell.token], cell.deciders))
            }
        }
        return rows
    }
}

extension [SwitchTable.Cell] {
    fileprivate func saysSame(as other: [SwitchTable.Cell]) -> Bool {
        map(\.deciders) == other.map(\.deciders)
    }
}

extension TableWords {
    func moments(_ moments: [ClaimMoment]) -> String {
        moments.count == ClaimMoment.allCases.count
            ? text(TablePhrase.anyMoment) : list(moments.map { $0.text(language) })
    }

    func tokens(_ tokens: [TokenMatch]) -> String {
        either(tokens.map { text(WordPhrase($0)) })
    }

    /// Which products a table of claims is about.
    func title(of group: SwitchTable.Group) -> String {
        let kinds = list(group.kinds.map { $0.text(language) })
        if group.isWholeKind { return text(TablePhrase.wholeKinds, kinds) }
        return text(
            TablePhrase.someProducts, kinds, list(group.products.map(\.text.shown), atMost: 6))
    }

    /// What is said of the app as a whole, as rows of two.
    func settings(_ settings: PolicyTables.Settings) -> [(name: String, value: String)] {
        let app = settings.app
        var rows: [(name: String, value: String)] = [
            (text(SettingsPhrase.bundle), app.bundleID.text),
            (text(SettingsPhrase.appleID), app.appleID.map { "\($0)" } ?? "–"),
            (
                text(SettingsPhrase.token),
                text(
                    app.accountToken == .fromOrder
                        ? SettingsPhrase.tokenFromOrder : .tokenIsAccount)
            ),
        ]
        for environment in StoreEnvironment.allCases {
            let isTrusted = settings.environments[environment] == .trusted
            rows.append(
                (
                    text(SettingsPhrase.environments, environment.text(language)),
                    text(isTrusted ? SettingsPhrase.trusted : .refused)
                ))
        }
        rows.append((text(SettingsPhrase.leeway), period(settings.leeway)))
        if let first = settings.claimsFrom {
            rows.append((text(SettingsPhrase.claimsFrom), first.rfc3339))
        }
        return rows + orderRows(settings.orders) + duplicateRows(settings.duplicates)
    }

    private func orderRows(_ orders: OrderSettings) -> [(name: String, value: String)] {
        [
            (text(SettingsPhrase.payWithin), period(orders.payWithin)),
            (text(SettingsPhrase.matchWindow), period(orders.matchWindow)),
            (
                text(SettingsPhrase.latePayment),
                text(orders.latePayment == .deliver ? SettingsPhrase.deliver : .review)
            ),
        ]
    }

    private func duplicateRows(_ duplicates: DuplicateSettings) -> [(name: String, value: String)] {
        let before: SettingsPhrase =
            switch duplicates.beforePurchase {
            case .block: .block
            case .warn: .warn
            case .allow: .allow
            }
        let kept: SettingsPhrase =
            switch duplicates.keep {
            case .longestPaid: .longestPaid
            case .newest: .newest
            case .highestLevel: .highestLevel
            }
        return [
            (
                text(SettingsPhrase.duplicates),
                text(duplicates.scope == .group ? SettingsPhrase.scopeGroup : .scopeEntitlement)
            ),
            (text(SettingsPhrase.before), text(before)),
            (text(SettingsPhrase.kept), text(kept)),
        ]
    }
}
