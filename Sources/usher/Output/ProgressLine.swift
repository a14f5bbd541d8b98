internal import Synchronization

/// How far something is, on a line of standard error that is written over and goes away at last.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let lastPercent = Atomic<Int64>(-1)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Written when the number changes.
    func show(_ phrase: LedgerPhrase, _ done: Int64, of total: Int64, _ language: Language) {
        let percent = total > 0 ? done * 100 / total : 100
        guard isShown, lastPercent.exchange(percent, ordering: .relaxed) != percent else { return }
        let filled = Int(percent) * 24 / 100
        Terminal.current.printProgress(
            String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
                + " \(percent)%  " + phrase.text(language))
    }

    func clear() {
        if lastPercent.load(ordering: .relaxed) >= 0 { Terminal.current.printProgress("") }
    }
}
