/// Durations in buckets of 1/16 of their power of two.
struct Histogram {
    private var counts = [Int](repeating: 0, count: 1_024)
    private var total = 0

    mutating func insert(_ nanoseconds: UInt64) {
        counts[Self.bucket(nanoseconds)] += 1
        total += 1
    }

    mutating func merge(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        total += other.total
    }

    /// In microseconds.
    func percentile(_ percent: Double) -> Double {
        var rest = Int((Double(total) * percent / 100).rounded(.up))
        for (index, count) in counts.enumerated() where count > 0 {
            rest -= count
            if rest <= 0 { return Self.middle(index) / 1_000 }
        }
        return 0
    }

    private static func bucket(_ value: UInt64) -> Int {
        let power = 63 - max(value, 16).leadingZeroBitCount
        return power * 16 + Int((max(value, 16) >> UInt64(power - 4)) & 15)
    }

    private static func middle(_ bucket: Int) -> Double {
        let scale = Double(UInt64(1) << UInt64(bucket / 16))
        return scale * (1 + (Double(bucket % 16) + 0.5) / 16)
    }
}
