/// How long calls took, counted into a few spans: a histogram as Prometheus has it.
struct CallDurations: Sendable {
    /// The upper bounds in milliseconds; what took longer counts into none of them.
    static let bounds: [Int64] = [1, 5, 25, 100, 500, 2_500, 10_000]

    /// How many calls took no longer than each bound and longer than the one before.
    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var total = 0
    private(set) var sum = Duration.zero

    mutating func count(_ duration: Duration) {
        total += 1
        sum += duration
        let bound = Self.bounds.firstIndex { duration <= .milliseconds($0) }
        if let bound { counts[bound] += 1 }
    }
}
