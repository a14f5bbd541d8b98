internal import EntitlementDerivation
internal import EntitlementModel

extension AnswerWriter {
    /// `GET …/catalog`.
    package mutating func append(_ report: CatalogueReport) {
        object { writer in
            writer.member("account", report.account.text)
            writer.member("environment", report.environment.rawValue)
            writer.member("at", report.at)
            writer.member("policy", report.policy)
            writer.member("revision", report.revision.number)
            writer.member("products", list: report.items) { $0.append($1) }
        }
    }

    private mutating func append(_ item: CatalogueItem) {
        object { writer in
            writer.appendMembers(of: item.product)
            writer.member("owned", item.isOwned)
            writer.member("state", item.state?.rawValue)
            writer.member("purchasable", item.verdict.effect != .block)
            writer.appendMembers(of: item.verdict)
        }
    }

    private mutating func appendMembers(of product: Product) {
        member("product", product.id.text)
        member("kind", product.kind.rawValue)
        if let title = product.title {
            member("title") { writer in
                writer.member("en", title.english)
                writer.memberIfAny("zh", title.chinese)
            }
        }
        memberIfAny("group", product.group?.text)
        memberIfAny("level", product.level?.text)
        memberIfAny("period", product.period?.text)
        memberIfAny("duration", product.duration?.text)
        member("prices", list: product.prices.sorted { $0.key < $1.key }) { writer, price in
            writer.object { writer in
                writer.member("currency", price.key)
                writer.member("thousandths", price.value)
            }
        }
        member("grants", list: product.grants) { $0.append($1) }
    }

    private mutating func append(_ grant: ProductGrant) {
        object { writer in
            switch grant {
            case .entitlement(let name, let lasting):
                writer.member("entitlement", name.text)
                writer.memberIfAny("for", lasting?.text)
            case .credit(let name, let units):
                writer.member("credit", name.text)
                writer.member("units", units)
            }
        }
    }
}
