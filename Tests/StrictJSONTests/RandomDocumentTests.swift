internal import TestSupport
internal import Testing

@testable internal import StrictJSON

/// Trees made at random, spelled at random: what is read must be the tree that was made, and
/// looking into the document must tell what the tree tells.
@Suite(.timeLimit(.minutes(20)))
struct RandomDocumentTests {
    private static let count: UInt64 = 2_000

    @Test func readsWhatWasMade() throws {
        for seed in 1...Self.count {
            var author = RandomAuthor(seed: seed)
            let tree = author.value(depth: 0)
            let bytes = author.spell(tree)
            let text = String(decoding: bytes, as: UTF8.self)
            let document = try JSONDocument(bytes)
            #expect(document.value() == tree, "seed \(seed): \(text)")
            #expect(document.tells(tree, at: .root), "seed \(seed): \(text)")
            #expect(document.canonical() == tree.canonical(), "seed \(seed): \(text)")
        }
    }

    /// A document with a byte too many, too few or another is refused, or it is another document
    /// that reads the same when it is written again.
    @Test func refusesOrReadsWhatWasDamaged() throws {
        var refused = 0
        for seed in 1...Self.count {
            var author = RandomAuthor(seed: seed)
            let tree = author.value(depth: 0)
            let bytes = author.damage(author.spell(tree))
            guard let document = try? JSONDocument(bytes) else {
                refused += 1
                continue
            }
            let value = document.value()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(document.tells(value, at: .root), "seed \(seed): \(text)")
            #expect(try parseJSON(value.serialized()) == value, "seed \(seed): \(text)")
        }
        #expect(refused > Self.count / 4, "damage that does no harm proves nothing")
    }
}

extension JSONDocument {
    /// Whether every question about the place has the tree's answer.
    fileprivate func tells(_ tree: JSONValue, at place: JSONOffset) -> Bool {
        let isSame =
            string(at: place) == tree.string && bool(at: place) == tree.bool
            && number(at: place)?.text == tree.number?.text && int64(at: place) == tree.int64
            && flooredInt64(at: place) == tree.number?.flooredInt64
            && isObject(at: place) == (tree.members != nil)
            && isArray(at: place) == (tree.elements != nil)
            && isString(at: place) == (tree.string != nil)
        guard isSame else { return false }
        let (elements, members) = (Array(elements(of: place)), Array(members(of: place)))
        return elements.count == tree.elements?.count ?? 0
            && members.count == tree.members?.count ?? 0
            && zip(elements, tree.elements ?? []).allSatisfy { tells($1, at: $0) }
            && zip(members, tree.members ?? []).allSatisfy { member, tree in
                string(at: member.name) == tree.key && tells(tree.value, at: member.value)
            }
    }
}

/// Makes trees and spells them, always the same for one seed.
private struct RandomAuthor {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    private static let numbers = [
        "0", "-0", "7", "-12", "1.50", "-0.5", "1e3", "5E-324", "1e+20", "9007199254740993",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "123456789012345678901234567890",
    ]

    private static let characters: [Unicode.Scalar] = [
        "a", "b", "K", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "中", "\u{212A}", "\u{FB33}",
        "\u{FFFF}", "\u{1F600}", "\u{10FFFF}",
    ]

    mutating func value(depth: Int) -> JSONValue {
        switch random.below(depth > 4 ? 6 : 9) {
        case 0: return .null
        case 1: return .bool(random.chance(1, in: 2))
        case 2, 3:
            let digits = Array(random.pick(Self.numbers).utf8)
            return .number(JSONNumber(digits.span))
        case 4, 5: return .string(text())
        case 6: return .array((0..<count()).map { _ in value(depth: depth + 1) })
        default: return .object(members(depth: depth))
        }
    }

    private mutating func members(depth: Int) -> [JSONMember] {
        var names: [[UInt8]] = []
        for _ in 0..<(random.below(30) == 0 ? 70 : count()) {
            let name = Array(text().utf8)
            if !names.contains(name) { names.append(name) }
        }
        if random.chance(1, in: 2) { names.sort { $0.lexicographicallyPrecedes($1) } }
        return names.map { name in
            JSONMember(String(decoding: name, as: UTF8.self), value(depth: depth + 1))
        }
    }

    private mutating func count() -> Int { random.below(6) }

    private mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<random.below(5) {
            text.append(random.pick(Self.characters))
            let run = random.below(40) - 30
            text.append(contentsOf: (0..<max(0, run)).map { _ in "x" as Unicode.Scalar })
        }
        return String(text)
    }

    /// The tree as JSON, with white space and escapes where they may be.
    mutating func spell(_ tree: JSONValue) -> [UInt8] {
        let before = space()
        let text: String =
            switch tree {
            case .null: "null"
            case .bool(let flag): flag ? "true" : "false"
            case .number(let number): number.text
            case .string(let text): quote(text)
            case .array(let elements): "[" + spell(elements) + "]"
            case .object(let members): "{" + spell(members) + "}"
            }
        return Array((before + text + space()).utf8)
    }

    private mutating func spell(_ elements: [JSONValue]) -> String {
        guard !elements.isEmpty else { return space() }
        return elements.map { String(decoding: spell($0), as: UTF8.self) }.joined(separator: ",")
    }

    private mutating func spell(_ members: [JSONMember]) -> String {
        guard !members.isEmpty else { return space() }
        return members.map { member in
            let name = space() + quote(member.key) + space()
            return name + ":" + String(decoding: spell(member.value), as: UTF8.self)
        }.joined(separator: ",")
    }

    private mutating func space() -> String {
        random.pick(["", "", "", "", " ", "\n", "\t\r\n "])
    }

    private mutating func quote(_ text: String) -> String {
        let mayEscape = random.chance(1, in: 2)
        var quoted = "\""
        for scalar in text.unicodeScalars {
            let must = scalar == "\"" || scalar == "\\" || scalar.value < 0x20
            if must || (mayEscape && random.chance(1, in: 2)) {
                quoted += escape(scalar)
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private mutating func escape(_ scalar: Unicode.Scalar) -> String {
        if scalar == "/" { return #"\/"# }
        if scalar == "\n", random.chance(1, in: 2) { return #"\n"# }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: random.chance(1, in: 2))
            return #"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }.joined()
    }

    /// One byte is another, is gone, or is there twice.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let index = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
        return bytes
    }
}
