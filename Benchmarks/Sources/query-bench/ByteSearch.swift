internal import CLinux

extension UnsafeRawBufferPointer {
    /// How many questions the bytes answer with yes.
    var grants: Int { count(of: "\"decision\":true") }

    /// Where the text begins.
    func offset(of text: StaticString) -> Int? {
        guard let base = baseAddress,
            let found = memmem(base, count, text.utf8Start, text.utf8CodeUnitCount)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// How often the text is there.
    func count(of text: StaticString) -> Int {
        var (count, rest) = (0, self)
        while let offset = rest.offset(of: text) {
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(offset + text.utf8CodeUnitCount)...])
        }
        return count
    }
}
