/// The bytes of every write, made before the measurement: accounts in a random order that is
/// the same for all parties and in every run. They are many, so that no cache holds the answers.
final class Writes {
    /// How many questions are in each.
    let questions: Int
    private static let total = 1 << 18
    private let bytes: UnsafeMutableRawBufferPointer
    private let ranges: [Range<Int>]
    private var index = 0

    init(_ party: Party, accounts: Int, questions: Int) {
        self.questions = questions
        var all: [UInt8] = []
        var ranges: [Range<Int>] = []
        var random = Lehmer(state: 2_026)
        for _ in 0..<Self.total / questions {
            let start = all.count
            let chosen = (0..<questions).map { _ in 1 + random.next(below: accounts) }
            party.append(chosen, to: &all)
            ranges.append(start..<all.count)
        }
        bytes = .allocate(byteCount: all.count, alignment: 64)
        bytes.copyBytes(from: all)
        self.ranges = ranges
    }

    deinit {
        bytes.deallocate()
    }

    func next() -> UnsafeRawBufferPointer {
        index = (index + 1) % ranges.count
        return UnsafeRawBufferPointer(rebasing: bytes[ranges[index]])
    }
}

/// A small generator whose numbers are the same everywhere.
struct Lehmer {
    private var state: UInt64

    init(state: UInt64) {
        self.state = state
    }

    mutating func next(below bound: Int) -> Int {
        state = state * 48_271 % 2_147_483_647
        return Int(state) % bound
    }
}
