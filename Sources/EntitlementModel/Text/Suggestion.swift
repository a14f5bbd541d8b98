/// The candidate that a misspelt word was probably meant to be: the nearest by edits (insert,
/// delete, replace, swap neighbours), within a third of its length; nil where none is near.
///
/// A candidate with letters in front is another word, and often its opposite (`inactive`,
/// `non-renewing`): no slip of the keyboard makes it.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    suggestion(for: word, among: candidates, within: nil)
}

/// The same within a number of edits.
package func suggestion(
    for word: String, among candidates: some Sequence<String>, within limit: Int?
) -> String? {
    nearest(to: word, among: candidates, within: limit).min {
        ($0.distance, $0.candidate) < ($1.distance, $1.candidate)
    }?.candidate
}

/// The candidates that are that near, with how many edits lie between.
package func nearest(
    to word: String, among candidates: some Sequence<String>, within limit: Int?
) -> [(distance: Int, candidate: String)] {
    let written = Array(word.lowercased().utf8)
    let limit = limit ?? max(1, written.count / 3)
    return candidates.compactMap { candidate in
        let other = Array(candidate.lowercased().utf8)
        guard abs(other.count - written.count) <= limit else { return nil }
        guard written.count < other.count + 2 || written.suffix(other.count) != other[...] else {
            return nil
        }
        let distance = editDistance(written, other)
        return distance <= limit ? (distance, candidate) : nil
    }
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in 0..<right.count {
            let cost = left[row] == right[column] ? 0 : 1
            var best = min(
                previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
            if row > 0, column > 0, left[row] == right[column - 1],
                left[row - 1] == right[column]
            {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
