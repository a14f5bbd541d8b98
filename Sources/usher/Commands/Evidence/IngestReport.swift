internal import EntitlementAnswers
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
        /// The first ones, each with what is said of it.
        var places: [(place: String, sentence: String)] = []
        /// What is said of all of them.
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

    /// - Parameter result: what became of the piece.
    mutating func count(_ result: IngestResult, of place: String, _ language: Language) {
        pieces += 1
        switch result.fate {
        case .refused(let code, let detail):
            refused += 1
            insert(Key(fate: .refused, code: code), place, detail, language)
        case .judged(let denials, let quarantined):
            if !quarantined.isEmpty { piecesKeptAside += 1 }
            for part in quarantined {
                keptAside += 1
                insert(
                    Key(fate: .keptAside, code: part.code), place, part.text?.text(language),
                    language)
            }
            for denial in denials {
                // One that waits for a person is not decided.
                if denial != .waiting { deniedClaims += 1 }
                insert(Key(fate: .claimDenied, code: denial.rawValue), place, nil, language)
            }
        }
    }

    private mutating func insert(
        _ key: Key, _ place: String, _ detail: String?, _ language: Language
    ) {
        let rule = Self.sentence(key, language)
        let sentence = detail ?? rule ?? ""
        var group = groups[key] ?? Group(sentence: sentence)
        // Where the details differ, each place has its own.
        if group.sentence != sentence { group.sentence = rule ?? sentence }
        group.count += 1
        if group.places.count < Self.shownPlaces { group.places.append((place.shown, sentence)) }
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
            page.add(phrase, "\(group.count)", group.sentence, key.code)
            var places = group.places.map { place, sentence in
                sentence == group.sentence ? place : "\(place): \(sentence)"
            }
            if group.count > places.count {
                places.append(
                    IngestPhrase.more.text(page.language, "\(group.count - places.count)"))
            }
            page.tree(places.map { Page.Branch($0) })
        }
        page.add(
            IngestPhrase.summary, "\(pieces)", "\(accepted)", "\(piecesKeptAside)", "\(refused)",
            "\(deniedClaims)")
    }
}

/// The progress bar on standard error, where that is a terminal: how much is done, how fast, and
/// how long the rest will take.
struct IngestProgress {
    private let total: Int?
    private let skipped: Int
    private let language: Language
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?

    /// - Parameters:
    ///   - total: bytes to read; nil where that is not known.
    ///   - skipped: bytes that were read and not handed in.
    init(total: Int?, skipped: Int, language: Language, on terminal: Terminal = .current) {
        self.total = total
        self.skipped = skipped
        self.language = language
        isShown = terminal.showsProgress
    }

    /// Ten times a second is often enough.
    mutating func show(_ report: IngestReport, bytes: Int) {
        let now = ContinuousClock.now
        guard isShown, lastShown.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        lastShown = now
        Terminal.current.printProgress(
            line(pieces: report.pieces, refused: report.refused, bytes: bytes, after: now - start))
    }

    func clear() {
        if isShown { Terminal.current.printProgress("") }
    }

    /// The bar, where the total is known, and what stands next to it.
    func line(pieces: Int, refused: Int, bytes: Int, after elapsed: Duration) -> String {
        let seconds = max(elapsed / .seconds(1), 0.001)
        var parts: [String] = []
        if let total, total > 0 {
            let share = min(1, Double(bytes) / Double(total))
            let filled = Int(share * 24)
            parts.append(
                String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
                    + " \(Int(share * 100))%")
        }
        parts.append(IngestPhrase.done.text(language, "\(pieces)"))
        parts.append(IngestPhrase.rate.text(language, "\(Int(Double(pieces) / seconds))"))
        if let left = secondsLeft(bytes: bytes, seconds: seconds) {
            parts.append(IngestPhrase.left.text(language, Self.clock(left)))
        }
        if refused > 0 { parts.append(IngestPhrase.refusedSoFar.text(language, "\(refused)")) }
        return parts.joined(separator: "  ")
    }

    private func secondsLeft(bytes: Int, seconds: Double) -> Int? {
        guard let total, bytes > skipped else { return nil }
        return Int((Double(total - bytes) / Double(bytes - skipped) * seconds).rounded(.up))
    }

    /// `0:07`, `12:30`, `1:02:03`.
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}

/// What `usher ingest` says.
enum IngestPhrase: String, CaseIterable, UsherText, Wording {
    case done = "{0} submitted"
    case rate = "{0}/s"
    case left = "{0} left"
    case refusedSoFar = "{0} refused"
    case refused = "refused, {0}: {1} [{2}]"
    case keptAside = "quarantined, {0}: {1} [{2}]"
    case claimDenied = "claims, {0}: {1} [{2}]"
    case more = "and {0} more"
    case summary = "{0} submitted: {1} accepted, {2} quarantined, {3} refused; claims denied: {4}"
    case policyWaits = """
        the policy may take something away from accounts that have it; to accept this, write \
        'from: {0}' in its accept.yaml
        """
    case stopping = "stopping after the current batch; interrupt again to stop at once"
    case stopped = """
        stopped after {0}: repeat the command with --skip {0} to continue; submitting everything \
        again is safe, known evidence is not recorded twice
        """
    case badLine = "this is not a line of evidence"
    case badFile = "the file cannot be read"
    case recordedAt = """
        an import states when each item was first known (recorded_at), not before the item above \
        it and not in the future
        """
    case notImported = "recorded_at is only for imports into a ledger (--ledger)"
}
