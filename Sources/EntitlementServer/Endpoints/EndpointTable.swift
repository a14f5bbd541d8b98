internal import EntitlementAnswers
internal import EntitlementModel

/// All endpoints, and the way from a path to them. Paths are compared byte by byte: nothing is
/// normalised, so that no two spellings mean one thing.
enum EndpointTable {
    static let all: [Endpoint] =
        Endpoint.questions + Endpoint.health + Endpoint.evidence + Endpoint.tickets
        + Endpoint.searches
        + Endpoint.accounts + [Endpoint.history] + Endpoint.purchases + Endpoint.ledger
        + Endpoint.orders
        + Endpoint.credits + Endpoint.actions + Endpoint.changes + Endpoint.refunds
        + Endpoint.reconciliations + Endpoint.push + Endpoint.policies + Endpoint.service

    /// Each path once; those that are asked most come first.
    private static let paths: [EndpointPath] = {
        var paths: [EndpointPath] = []
        for endpoint in all where !paths.contains(where: { $0.template == endpoint.path }) {
            paths.append(
                EndpointPath(endpoint.path, all.filter { $0.path == endpoint.path }))
        }
        return paths
    }()

    /// Nil where nothing is served.
    static func match(_ path: Range<Int>, in bytes: Span<UInt8>) -> PathMatch? {
        for candidate in paths {
            if let match = candidate.match(path, in: bytes) { return match }
        }
        return nil
    }
}

/// A path with the endpoints that it has, one for each method.
final class EndpointPath: Sendable {
    private enum Segment {
        case fixed([UInt8])
        case name
    }

    let template: String
    let endpoints: [Endpoint]
    private let segments: [Segment]
    /// Of a path without names: all of it.
    private let whole: [UInt8]?

    init(_ template: String, _ endpoints: [Endpoint]) {
        self.template = template
        self.endpoints = endpoints
        segments = template.split(separator: "/").map { part in
            part.hasPrefix("{") ? .name : .fixed(Array(part.utf8))
        }
        whole = template.contains("{") ? nil : Array(template.utf8)
    }

    /// As written in `Allow`.
    var allow: String {
        endpoints.map { $0.method == .get ? "GET, HEAD" : "\($0.method.name)" }
            .joined(separator: ", ")
    }

    /// HEAD is answered like GET, without the body.
    func endpoint(for method: RequestHead.Method) -> Endpoint? {
        endpoints.first { $0.method == (method == .head ? .get : method) }
    }

    fileprivate func match(_ path: Range<Int>, in bytes: Span<UInt8>) -> PathMatch? {
        if let whole {
            guard whole.count == path.count, bytes.extracting(path).isSame(as: whole.span) else {
                return nil
            }
            return PathMatch(path: self)
        }
        var match = PathMatch(path: self)
        var rest = PathSegments(path)
        for segment in segments {
            guard let place = rest.next(in: bytes) else { return nil }
            switch segment {
            case .fixed(let text):
                guard bytes.extracting(place).isSame(as: text.span) else { return nil }
            case .name: match.add(place)
            }
        }
        return rest.isAtEnd ? match : nil
    }
}

/// A path that is served, with the places of the names in it.
struct PathMatch {
    let path: EndpointPath
    private(set) var first = 0..<0
    private(set) var second = 0..<0
    private var count = 0

    fileprivate init(path: EndpointPath) {
        self.path = path
    }

    fileprivate mutating func add(_ place: Range<Int>) {
        precondition(count < 2, "a path has at most two names")
        if count == 0 { first = place } else { second = place }
        count += 1
    }

    /// The names, percent-encoding resolved.
    ///
    /// - Throws: for a name that is not percent-encoded text.
    func names(in bytes: Span<UInt8>) throws(Problem) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for place in [first, second].prefix(count) {
            guard let name = bytes.percentDecoded(place) else { throw Problem(.id) }
            names.append(name)
        }
        return names
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
