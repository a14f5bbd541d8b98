/// Durations in buckets of 1/64 of their power of two.
struct Histogram {
    private var counts = [Int](repeating: 0, count: 4_096)
    private var total = 0

    mutating func insert(_ nanoseconds: UInt64) {
        counts[Self.bucket(nanoseconds)] += 1
        total += 1
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
        let value = max(value, 64)
        let power = 63 - value.leadingZeroBitCount
        return power * 64 + Int((value >> UInt64(power - 6)) & 63)
    }

    private static func middle(_ bucket: Int) -> Double {
        let scale = Double(UInt64(1) << UInt64(bucket / 64))
        return scale * (1 + (Double(bucket % 64) + 0.5) / 64)
    }
}
