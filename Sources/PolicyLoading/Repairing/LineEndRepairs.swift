internal import EntitlementModel

/// A file with line ends of Windows, which are read as all others are: no mistake, and still
/// repaired, so that files do not differ in what nobody sees.
package struct LineEndRepair: Hashable, Sendable {
    /// Relative to the policy folder.
    package var file: String
    /// How many lines end with CR and LF; the last one may end with CR alone.
    package var changed: Int64
    /// How many line ends there are.
    package var all: Int64
}

extension PolicyText {
    /// The same with LF alone, and what that changes; nil where there is nothing to do, and where a
    /// CR that ends no line is left to the author.
    func withLineFeeds() -> (text: PolicyText, repair: LineEndRepair)? {
        guard isYAML, bytes.contains(UInt8(ascii: "\r")) else { return nil }
        var repair = LineEndRepair(file: path, changed: 0, all: 0)
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\r") {
                let next = index + 1
                if next == bytes.count {
                    kept.append(UInt8(ascii: "\n"))
                    repair.all += 1
                } else if bytes[next] != UInt8(ascii: "\n") {
                    return nil
                }
                repair.changed += 1
            } else {
                if byte == UInt8(ascii: "\n") { repair.all += 1 }
                kept.append(byte)
            }
        }
        var text = self
        text.bytes = kept
        return (text, repair)
    }
}

extension RepairPlan {
    /// Makes LF of all line ends, after everything else.
    mutating func repairLineEnds(_ check: RepairCheck) {
        for (index, text) in after.enumerated() {
            guard let (changed, repair) = text.withLineFeeds() else { continue }
            after[index] = changed
            lineEnds.append(repair)
        }
        if !lineEnds.isEmpty { report = check(after) }
    }
}
