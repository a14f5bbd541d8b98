internal import Testing

@testable internal import EvidenceVerification

/// One value has one encoding: two readers of a receipt that disagree on where a value ends read
/// two receipts (THREATS.md C1).
@Suite(.timeLimit(.minutes(20)))
struct DERItemTests {
    struct Encoding: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        /// The lengths of the items; nil where it is not DER.
        let lengths: [Int]?

        init(_ name: String, _ bytes: [UInt8], _ lengths: [Int]?) {
            testDescription = name
            self.bytes = bytes
            self.lengths = lengths
        }
    }

    private static let long = [UInt8](repeating: 7, count: 128)

    @Test(arguments: [
        Encoding("nothing", [], []),
        Encoding("a short length", [0x02, 0x01, 5], [1]),
        Encoding("two items", [0x02, 0x01, 5, 0x04, 0x02, 6, 7], [1, 2]),
        Encoding("a length of 128", [0x04, 0x81, 0x80] + long, [128]),
        Encoding("a long form that could be short", [0x02, 0x81, 0x01, 5], nil),
        Encoding("a long form of 127", [0x04, 0x81, 0x7F] + long.dropLast(), nil),
        Encoding("a leading zero in the length", [0x04, 0x82, 0x00, 0x80] + long, nil),
        Encoding("an indefinite length", [0x30, 0x80, 0x00, 0x00], nil),
        Encoding("more than there is", [0x02, 0x02, 5], nil),
        Encoding("a length that ends early", [0x04, 0x82, 0x01], nil),
        Encoding("a tag without a length", [0x04], nil),
        Encoding("a tag of several bytes", [0x1F, 0x81, 0x01, 0x00], nil),
        Encoding("a length of five bytes", [0x04, 0x85, 0x01, 0, 0, 0, 0], nil),
    ])
    func readsTheOneEncoding(_ encoding: Encoding) {
        var items = DERItems(encoding.bytes[...])
        var lengths: [Int] = []
        while let item = items.next() { lengths.append(item.content.count) }
        #expect((items.isAtEnd ? lengths : nil) == encoding.lengths)
    }
}
