/// The candidate that a misspelt word was probably meant to be: the nearest by edits (insert,
/// delete, replace, swap neighbours), within a third of its length; nil where none is near.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    let written = Array(word.lowercased().utf8)
    let limit = max(1, written.count / 3)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
        let other = Array(candidate.lowercased().utf8)
        guard abs(other.count - written.count) <= limit else { continue }
        let distance = editDistance(written, other)
        guard distance <= limit else { continue }
        if let best, (best.distance, best.candidate) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
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
