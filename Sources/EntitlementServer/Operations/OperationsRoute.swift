internal import EntitlementModel

/// A path that usher.sock serves beside the questions (spec 3.1).
enum OperationsRoute: String, CaseIterable, Sendable {
    case evidence = "/v1/evidence"
    case notifications = "/v1/notifications"
    case subjectSearch = "/access/v1/search/subject"
    case resourceSearch = "/access/v1/search/resource"
    case actionSearch = "/access/v1/search/action"
    case account = "/v1/accounts/{account}"
    case timeline = "/v1/accounts/{account}/timeline"
    case findings = "/v1/accounts/{account}/findings"
    case allFindings = "/v1/findings"
    case catalogue = "/v1/accounts/{account}/catalog"
    case explanation = "/v1/accounts/{account}/explain/{entitlement}"
    case preflight = "/v1/preflight"
    case claims = "/v1/claims"
    case ruling = "/v1/claims/{claim}/ruling"
    case grants = "/v1/grants"
    case grant = "/v1/grants/{grant}"
    case blocks = "/v1/blocks"
    case block = "/v1/blocks/{block}"
    case accountTokens = "/v1/account-tokens"
    case merges = "/v1/merges"
    case merge = "/v1/merges/{merge}"
    case policy = "/v1/policy"
    case reload = "/v1/policy/reload"
    case backup = "/v1/backup"
    case status = "/status"
    case metrics = "/metrics"
    case description = "/openapi.json"

    /// The one method that it knows.
    var method: RequestHead.Method {
        switch self {
        case .subjectSearch, .resourceSearch, .actionSearch: .post
        case .evidence, .notifications, .preflight, .ruling, .grants, .blocks, .accountTokens,
            .merges, .reload, .backup:
            .post
        case .grant, .block, .merge: .delete
        case .account, .timeline, .findings, .allFindings, .catalogue, .explanation, .claims,
            .policy, .status, .metrics, .description:
            .get
        }
    }

    /// Who may call it.
    var role: PeerRole {
        switch self {
        case .evidence, .notifications: .ingest
        case .subjectSearch, .resourceSearch, .actionSearch: .query
        case .account, .timeline, .findings, .allFindings, .catalogue, .explanation, .preflight,
            .claims, .policy, .status, .metrics, .description:
            .query
        case .ruling, .grants, .grant, .blocks, .block, .accountTokens, .merges, .merge, .reload,
            .backup:
            .admin
        }
    }
}

/// A route with what stands in the places of its braces.
struct OperationsPath: Equatable, Sendable {
    let route: OperationsRoute
    /// In the order of the path, percent-encoding resolved.
    let names: [[UInt8]]

    /// Nil where usher.sock serves nothing of its own.
    /// - Throws: for a name that is no percent-encoded text.
    init?(_ path: Range<Int>, in bytes: Span<UInt8>) throws(Problem) {
        for route in OperationsRoute.allCases {
            guard let places = Self.places(of: route.rawValue, path, in: bytes) else { continue }
            self.route = route
            names = try places.map { place throws(Problem) in
                guard let name = bytes.percentDecoded(place) else { throw Problem(.id) }
                return name
            }
            return
        }
        return nil
    }

    /// Where the names stand; nil for another path. Compared byte by byte.
    private static func places(
        of template: String, _ path: Range<Int>, in bytes: Span<UInt8>
    ) -> [Range<Int>]? {
        var segments = PathSegments(path)
        var places: [Range<Int>] = []
        for part in template.split(separator: "/") {
            guard let segment = segments.next(in: bytes) else { return nil }
            if part.hasPrefix("{") {
                places.append(segment)
            } else if bytes.string(segment) != part {
                return nil
            }
        }
        return segments.isAtEnd ? places : nil
    }

    /// A place in the ledger.
    func place(_ index: Int, _ field: String) throws(Problem) -> LedgerSequence {
        guard let number = Int64(plain: String(decoding: names[index], as: UTF8.self)) else {
            throw Problem(.number, field: field)
        }
        return LedgerSequence(number)
    }

    func id<ID: Identifier>(_ index: Int, _ field: String) throws(Problem) -> ID {
        let name = names[index]
        guard let id = ID(bytes: name.span, 0..<name.count) else {
            throw Problem(malformed: ID.self, field: field)
        }
        return id
    }
}
