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
