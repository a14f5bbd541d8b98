/// A small generator whose whole state is its seed: the same seed gives the same history on
/// every machine and in every version.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`.
    package mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "something must be there to choose from")
        return Int(truncatingIfNeeded: next() % UInt64(bound))
    }

    /// True `part` times in `whole`.
    package mutating func chance(_ part: Int, in whole: Int) -> Bool { below(whole) < part }

    /// One of the elements.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// Some of the elements, at least one, in their order.
    package mutating func some<Element>(of elements: [Element]) -> [Element] {
        let first = below(elements.count)
        return elements.indices.filter { $0 == first || chance(1, in: 3) }.map { elements[$0] }
    }

    /// The elements in any order.
    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for index in shuffled.indices.dropFirst() {
            shuffled.swapAt(index, below(index + 1))
        }
        return shuffled
    }
}
