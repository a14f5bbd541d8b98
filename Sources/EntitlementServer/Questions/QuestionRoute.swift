/// A path that both sockets serve (spec 3.1), with the places of what stands in it.
enum QuestionRoute: Equatable {
    case evaluation
    case evaluations
    case metadata
    case live
    case ready
    case accountEntitlements(account: Range<Int>, entitlement: Range<Int>?)
    case accountCredits(account: Range<Int>)
    case appleIDEntitlements(key: Range<Int>)

    /// Nil where nothing is served. Paths are compared byte by byte: nothing is normalised, so
    /// that no two spellings mean one thing.
    init?(_ path: Range<Int>, in bytes: Span<UInt8>) {
        if bytes.equals("/access/v1/evaluation", in: path) {
            self = .evaluation
        } else if bytes.equals("/access/v1/evaluations", in: path) {
            self = .evaluations
        } else if bytes.equals("/livez", in: path) {
            self = .live
        } else if bytes.equals("/readyz", in: path) {
            self = .ready
        } else if bytes.equals("/.well-known/authzen-configuration", in: path) {
            self = .metadata
        } else {
            guard let route = Self.withNames(path, in: bytes) else { return nil }
            self = route
        }
    }

    private static func withNames(_ path: Range<Int>, in bytes: Span<UInt8>) -> QuestionRoute? {
        var segments = PathSegments(path)
        guard let version = segments.next(in: bytes), bytes.equals("v1", in: version),
            let collection = segments.next(in: bytes),
            let name = segments.next(in: bytes),
            let what = segments.next(in: bytes)
        else { return nil }
        let last = segments.next(in: bytes)
        guard segments.isAtEnd else { return nil }
        if bytes.equals("accounts", in: collection) {
            if bytes.equals("entitlements", in: what) {
                return .accountEntitlements(account: name, entitlement: last)
            }
            let isCredits = bytes.equals("credits", in: what) && last == nil
            return isCredits ? .accountCredits(account: name) : nil
        }
        let isAppleID =
            bytes.equals("apple-ids", in: collection) && bytes.equals("entitlements", in: what)
            && last == nil
        return isAppleID ? .appleIDEntitlements(key: name) : nil
    }

    /// The one method that it knows.
    var method: RequestHead.Method {
        switch self {
        case .evaluation, .evaluations: .post
        default: .get
        }
    }
}

/// The parts of a path between its slashes, as they were written.
struct PathSegments {
    private var rest: Range<Int>

    init(_ path: Range<Int>) {
        rest = path
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next segment, perhaps empty; nil at the end.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        guard !rest.isEmpty, bytes[rest.lowerBound] == ASCII.slash else { return nil }
        let start = rest.lowerBound + 1
        let end = bytes.firstIndex(of: ASCII.slash, in: start..<rest.upperBound)
        rest = (end ?? rest.upperBound)..<rest.upperBound
        return start..<rest.lowerBound
    }
}
