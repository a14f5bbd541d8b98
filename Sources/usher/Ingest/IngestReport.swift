internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// What was handed in, and what of it was refused and why.
struct IngestReport {
    /// What became of a piece, or of a part of it.
    enum Fate: Comparable {
        case refused
        case keptAside
        case claimDenied
    }

    /// Pieces of one fate and one code.
    private struct Group {
        var count = 0
        /// The first ones.
        var places: [String] = []
        var sentence: String
    }

    private struct Key: Hashable, Comparable {
        let fate: Fate
        let code: String

        static func < (left: Key, right: Key) -> Bool {
            (left.fate, left.code) < (right.fate, right.code)
        }
    }

    private static let shownPlaces = 3
    private var groups: [Key: Group] = [:]
    private(set) var pieces = 0
    private(set) var refused = 0
    private(set) var keptAside = 0
    /// Pieces of which a part is kept aside.
    private(set) var piecesKeptAside = 0
    private(set) var deniedClaims = 0

    var accepted: Int { pieces - refused - piecesKeptAside }

    /// For programs.
    var counts: JSONValue {
        [
            "submitted": .integer(Int64(pieces)), "accepted": .integer(Int64(accepted)),
            "claims_denied": .integer(Int64(deniedClaims)),
            "quarantined": .integer(Int64(piecesKeptAside)), "refused": .integer(Int64(refused)),
        ]
    }

    var isAllAccepted: Bool { refused == 0 && keptAside == 0 }

    /// - Parameter result: what the service answered about the piece.
    mutating func count(_ result: JSONValue, of place: String, _ language: Language) {
        pieces += 1
        if let code = result.word("code") {
            refused += 1
            insert(Key(fate: .refused, code: code), place, result.word("detail"), language)
        }
        if !result.list("quarantined").isEmpty { piecesKeptAside += 1 }
        for part in result.list("quarantined") {
            keptAside += 1
            insert(Key(fate: .keptAside, code: part.word("code") ?? ""), place, nil, language)
        }
        for transaction in result.list("transactions") {
            guard let code = transaction.word("code") else { continue }
            // One that waits for a person is not decided.
            if code != "waiting" { deniedClaims += 1 }
            insert(Key(fate: .claimDenied, code: code), place, nil, language)
        }
    }

    private mutating func insert(
        _ key: Key, _ place: String, _ detail: String?, _ language: Language
    ) {
        var group =
            groups[key] ?? Group(sentence: Self.sentence(key, language) ?? detail ?? "")
        group.count += 1
        if group.places.count < Self.shownPlaces { group.places.append(place.shown) }
        groups[key] = group
    }

    private static func sentence(_ key: Key, _ language: Language) -> String? {
        switch key.fate {
        case .claimDenied: ClaimDenial.words(key.code, language)
        case .keptAside: QuarantineCode.words(key.code, language)
        case .refused:
            VerificationRefusalCode(rawValue: key.code)?.text(language)
        }
    }

    /// For people: what was refused and why, with its first places, then the sum.
    func write(to page: inout Page) {
        for (key, group) in groups.sorted(by: { $0.key < $1.key }) {
            let phrase: IngestPhrase =
                switch key.fate {
                case .refused: .refused
                case .keptAside: .keptAside
                case .claimDenied: .claimDenied
                }
            page.add(
                phrase.text(page.language, "\(group.count)", group.sentence, key.code))
            var places = group.places
            if group.count > places.count {
                places.append(
                    IngestPhrase.more.text(page.language, "\(group.count - places.count)"))
            }
            page.tree(places.map { Page.Branch($0) })
        }
        page.add(
            IngestPhrase.summary.text(
                page.language, "\(pieces)", "\(accepted)", "\(piecesKeptAside)", "\(refused)",
                "\(deniedClaims)"))
    }
}
