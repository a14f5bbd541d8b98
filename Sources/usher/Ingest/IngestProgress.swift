internal import EntitlementModel

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

    /// The bar, where the total is known, and what stands beside it.
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
