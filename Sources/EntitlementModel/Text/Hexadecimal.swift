/// The one writer of hexadecimal digits; `StrictJSON`, which knows no other target, writes those of
/// bytes itself.
extension BinaryInteger {
    /// The digits of a number that is not negative, with zeroes before them up to a width.
    package func hexadecimal(width: Int = 1, uppercase: Bool = false) -> String {
        let digits = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Collection<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 0xF)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
