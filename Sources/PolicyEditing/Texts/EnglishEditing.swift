/// What the language server says in English.
extension EditingPhrase {
    var english: String {
        switch self {
        case .started: "usher {0}: language server for policies; positions in {1}, language {2}"
        case .streamEnded: "the client has closed the stream"
        case .streamUnreadable: "the stream of messages cannot be read further: {0}"
        case .messageRefused: "a message was rejected: {0}"
        case .help: "help: {0}"
        case .example: "example: {0}"
        case .moreLikeIt: "and {0} more like it"
        case .required: "required"
        case .oneOf: "one of {0}"
        case .writtenLike: "written like {0}"
        case .productCount: "{0 product|products}"
        case .write: "Write '{0}'"
        case .matches: "matches {0}"
        case .givenBy: "given by {0}"
        case .givenByNone: "given by no product"
        case .namedBy: "named by the rules {0}"
        case .gives: "gives {0}"
        case .price: "price: {0}"
        case .soldAs: "products: {0}"
        case .levelOf: "level of {0}"
        case .andMore: "{0} and {1} more"
        case .products: "products that it looks at: {0}"
        case .allProducts: "looks at all products: {0}"
        case .noProducts: "looks at no product of the catalogue"
        case .states: "decides in the states {0}"
        case .before: "rules before it that decide some of its cases: {0}"
        case .decidesNothing: "decides no case"
        case .openRights: "everybody has {0}"
        case .notWhileErrors: "what the rule decides is shown once the folder has no errors"
        }
    }
}
