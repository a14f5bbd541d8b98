internal import EntitlementModel

/// One question of AuthZEN: may this subject do this to that? (spec 3.1)
struct Evaluation: Equatable {
    enum Subject: Equatable {
        case account(AccountID)
        case appleID(AppleIDKey)
    }

    /// What is asked, as far as we know the words.
    enum Matter: Equatable {
        /// Subject `account` or `apple-id`, action `use`, resource `entitlement`.
        case use(EntitlementName, by: Subject)
        /// Some other word: nobody may do what nobody knows.
        case unknown(UnknownWord)
    }

    /// The word that is not known, as answers name it.
    enum UnknownWord: String, Equatable {
        case subjectType = "unknown-subject-type"
        case action = "unknown-action"
        case resourceType = "unknown-resource-type"
    }

    var matter: Matter
    /// `context.at`; nil for now.
    var instant: Instant?
    /// `context.environment`.
    var environment = StoreEnvironment.production
}

extension Evaluation.Matter {
    /// Puts the words together. Ids are checked only where the words are known: the ids of other
    /// types have other alphabets.
    init(
        subjectType: String, subjectID: String, action: String, resourceType: String,
        resourceID: String
    ) throws(Problem) {
        let subject: Evaluation.Subject
        switch subjectType {
        case "account": subject = .account(try Self.id(subjectID, "subject.id"))
        case "apple-id": subject = .appleID(try Self.id(subjectID, "subject.id"))
        default:
            self = .unknown(.subjectType)
            return
        }
        guard resourceType == "entitlement" else {
            self = .unknown(.resourceType)
            return
        }
        let entitlement: EntitlementName = try Self.id(resourceID, "resource.id")
        self = action == "use" ? .use(entitlement, by: subject) : .unknown(.action)
    }

    private static func id<ID: Identifier>(_ text: String, _ field: String) throws(Problem) -> ID {
        guard let id = ID(text) else { throw Problem(.id, field: field) }
        return id
    }
}
