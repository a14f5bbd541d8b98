internal import Synchronization

/// Salts for entries, asked for several at a time: each question to the source is one to the
/// system.
final class SaltSupply: Sendable {
    static let saltLength = 16

    private struct Drawn {
        var bytes: [UInt8] = []
        var used = 0
    }

    private let source: @Sendable () -> [UInt8]
    private let drawn = Mutex(Drawn())

    init(_ source: @escaping @Sendable () -> [UInt8]) {
        self.source = source
    }

    /// Sixteen bytes that were given to nobody before.
    func next() -> UInt128 {
        drawn.withLock { drawn in
            if drawn.used == drawn.bytes.count {
                drawn = Drawn(bytes: source())
                precondition(
                    !drawn.bytes.isEmpty && drawn.bytes.count.isMultiple(of: Self.saltLength),
                    "a salt has 16 bytes")
            }
            defer { drawn.used += Self.saltLength }
            return drawn.bytes.span.bytes.unsafeLoadUnaligned(
                fromByteOffset: drawn.used, as: UInt128.self)
        }
    }
}
