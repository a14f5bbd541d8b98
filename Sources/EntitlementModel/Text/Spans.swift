extension OutputSpan<UInt8> {
    /// Appends bytes that lie elsewhere, which have to fit.
    @inlinable
    package mutating func append(run: Span<UInt8>) {
        run.withUnsafeBytes { append(run: $0) }
    }

    /// Appends fixed text, which has to fit.
    @inlinable
    package mutating func append(run text: StaticString) {
        append(run: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    mutating func append(run bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= freeCapacity, "a run fits into the room made for it")
        withUnsafeMutableBufferPointer { buffer, count in
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }
}

extension Span<UInt8> {
    /// Whether both hold the same bytes: eight of them at a time, because whole heads of
    /// requests are compared.
    @inlinable
    package func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return isSameByteByByte(as: other) }
        // The last eight overlap with those before where the length is no multiple.
        var place = 0
        while place < count - 8 {
            guard word(at: place) == other.word(at: place) else { return false }
            place += 8
        }
        return word(at: count - 8) == other.word(at: count - 8)
    }

    @inlinable
    func isSameByteByByte(as other: Span<UInt8>) -> Bool {
        for place in 0..<count where self[place] != other[place] { return false }
        return true
    }

    @inlinable
    func word(at place: Int) -> UInt64 {
        bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
}
