internal import CLinux

extension UnsafeRawBufferPointer {
    /// Where the text begins.
    func offset(of text: StaticString) -> Int? {
        guard let base = baseAddress,
            let found = memmem(base, count, text.utf8Start, text.utf8CodeUnitCount)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    func contains(_ text: StaticString) -> Bool { offset(of: text) != nil }
}
