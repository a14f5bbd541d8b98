/// Arithmetic modulo an odd number of whole 64-bit words whose highest bit is set.
///
/// Elements are kept as Montgomery has it: multiplied by 2^(64 n), least significant word first.
struct OddModulus: Sendable {
    private let modulus: [UInt64]
    /// Minus the inverse of the modulus, modulo 2^64.
    private let factor: UInt64
    /// 2^(128 n) modulo the modulus.
    private let squaredRadix: [UInt64]

    /// - Parameter bytes: most significant byte first.
    init(_ bytes: [UInt8]) {
        modulus = Self.words(bytes)
        // Newton's iteration: each step doubles the number of right bits.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
        factor = 0 &- inverse
        // 2^(64 n) is a little more than the modulus; doubling it 64 n times squares it.
        var power = Self.difference([UInt64](repeating: 0, count: modulus.count), modulus).words
        for _ in 0..<(64 * modulus.count) { power = Self.sum(power, power, modulus) }
        squaredRadix = power
    }

    /// A number of as many bytes as the modulus, reduced.
    func element(_ bytes: [UInt8]) -> [UInt64] {
        product(reducedWords(bytes), squaredRadix)
    }

    /// The number behind an element.
    func bytes(_ element: [UInt64]) -> [UInt8] {
        var one = [UInt64](repeating: 0, count: modulus.count)
        one[0] = 1
        return Self.bytes(product(element, one))
    }

    /// A number below the modulus.
    func reduced(_ bytes: [UInt8]) -> [UInt8] { Self.bytes(reducedWords(bytes)) }

    /// Whether a number is from 1 to one less than the modulus.
    func contains(_ bytes: [UInt8]) -> Bool {
        let words = Self.words(bytes)
        return !isZero(words) && Self.difference(words, modulus).borrows
    }

    func isZero(_ element: [UInt64]) -> Bool { element.allSatisfy { $0 == 0 } }

    func sum(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] { Self.sum(left, right, modulus) }

    /// Montgomery's product, word by word.
    func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let count = modulus.count
        var result = [UInt64](repeating: 0, count: count + 2)
        for index in 0..<count {
            Self.add(left[index], times: right, to: &result)
            Self.add(result[0] &* factor, times: modulus, to: &result)
            for place in 0...count { result[place] = result[place + 1] }
            result[count + 1] = 0
        }
        let words = Array(result[..<count])
        let (difference, borrows) = Self.difference(words, modulus)
        return borrows && result[count] == 0 ? words : difference
    }

    /// By Fermat: the power to two less than the modulus, four bits at a time.
    func inverse(_ element: [UInt64]) -> [UInt64] {
        var powers = [
            self.element(Self.bytes([1] + [UInt64](repeating: 0, count: modulus.count - 1)))
        ]
        for _ in 1..<16 { powers.append(product(powers[powers.count - 1], element)) }
        var exponent = modulus
        exponent[0] -= 2
        var result = powers[0]
        for word in exponent.reversed() {
            for shift in stride(from: 60, through: 0, by: -4) {
                for _ in 0..<4 { result = product(result, result) }
                result = product(result, powers[Int(word >> UInt64(shift) & 15)])
            }
        }
        return result
    }

    private func reducedWords(_ bytes: [UInt8]) -> [UInt64] {
        let words = Self.words(bytes)
        let (difference, borrows) = Self.difference(words, modulus)
        return borrows ? words : difference
    }

    /// Adds a multiple; the result has two more words than what is multiplied.
    private static func add(_ factor: UInt64, times words: [UInt64], to result: inout [UInt64]) {
        var carry: UInt64 = 0
        for index in words.indices {
            let (high, low) = factor.multipliedFullWidth(by: words[index])
            let (first, overflow) = low.addingReportingOverflow(result[index])
            let (second, carried) = first.addingReportingOverflow(carry)
            result[index] = second
            carry = high &+ (overflow ? 1 : 0) &+ (carried ? 1 : 0)
        }
        let (sum, overflow) = result[words.count].addingReportingOverflow(carry)
        result[words.count] = sum
        if overflow { result[words.count + 1] += 1 }
    }

    private static func sum(
        _ left: [UInt64], _ right: [UInt64], _ modulus: [UInt64]
    ) -> [UInt64] {
        var words = left
        var carry = false
        for index in words.indices {
            let (first, overflow) = left[index].addingReportingOverflow(right[index])
            let (second, carried) = first.addingReportingOverflow(carry ? 1 : 0)
            words[index] = second
            carry = overflow || carried
        }
        let (difference, borrows) = difference(words, modulus)
        return borrows && !carry ? words : difference
    }

    private static func difference(
        _ left: [UInt64], _ right: [UInt64]
    ) -> (words: [UInt64], borrows: Bool) {
        var words = left
        var borrow = false
        for index in words.indices {
            let (first, overflow) = left[index].subtractingReportingOverflow(right[index])
            let (second, borrowed) = first.subtractingReportingOverflow(borrow ? 1 : 0)
            words[index] = second
            borrow = overflow || borrowed
        }
        return (words, borrow)
    }

    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: bytes.count, to: 0, by: -8).map { end in
            bytes[(end - 8)..<end].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.reversed().flatMap { word in
            stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> UInt64($0))
            }
        }
    }
}
