package import EntitlementModel

/// Writes what the feed keeps in as few bytes as it needs: numbers of seven bits a byte, texts
/// behind their length.
private struct FeedWriter {
    var bytes: [UInt8] = []

    mutating func unsigned(_ number: UInt128) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Small numbers of either sign are short.
    mutating func signed(_ number: Int128) {
        unsigned(UInt128(bitPattern: number << 1 ^ number >> 127))
    }

    mutating func text(_ text: String) {
        unsigned(UInt128(text.utf8.count))
        bytes += text.utf8
    }

    mutating func value(_ value: FeedValue?) {
        switch value {
        case nil: bytes.append(0)
        case .right(let right):
            bytes.append(1)
            bytes.append(
                (right.decision ? 1 : 0) | (right.state == nil ? 0 : 2)
                    | (right.until == nil ? 0 : 4))
            if let state = right.state { text(state.rawValue) }
            if let until = right.until { signed(Int128(until.milliseconds)) }
        case .balance(let balance):
            bytes.append(2)
            signed(balance)
        case .lapse(let lapse):
            bytes.append(7)
            signed(lapse.units)
            signed(Int128(lapse.at.milliseconds))
        case .finding: bytes.append(3)
        case .order(let state):
            bytes.append(4)
            text(state.rawValue)
        case .owners(let owners):
            bytes.append(5)
            unsigned(UInt128(owners.count))
            for owner in owners { text(owner.text) }
        case .policy(let digest):
            bytes.append(6)
            bytes += digest.bytes
        }
    }
}

/// Bytes that no version has written.
package struct MalformedFeedBytes: Error {}

/// Reads what `FeedWriter` has written; in a damaged file that may be anything.
private struct FeedReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws(MalformedFeedBytes) -> UInt8 {
        guard let byte = rest.popFirst() else { throw MalformedFeedBytes() }
        return byte
    }

    mutating func unsigned() throws(MalformedFeedBytes) -> UInt128 {
        var (number, shift): (UInt128, UInt128) = (0, 0)
        while true {
            let next = try byte()
            guard shift < 128 else { throw MalformedFeedBytes() }
            number |= UInt128(next & 0x7F) << shift
            if next < 0x80 { return number }
            shift += 7
        }
    }

    mutating func signed() throws(MalformedFeedBytes) -> Int128 {
        let number = try unsigned()
        return Int128(bitPattern: number >> 1) ^ -Int128(bitPattern: number & 1)
    }

    /// How many follow, each of a byte at least.
    mutating func count() throws(MalformedFeedBytes) -> Int {
        let count = try unsigned()
        guard count <= UInt128(rest.count) else { throw MalformedFeedBytes() }
        return Int(count)
    }

    mutating func text() throws(MalformedFeedBytes) -> String {
        let count = try count()
        let bytes = rest.prefix(count)
        rest.removeFirst(count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw MalformedFeedBytes()
        }
        return text
    }

    mutating func instant() throws(MalformedFeedBytes) -> Instant {
        guard let milliseconds = Int64(exactly: try signed()) else { throw MalformedFeedBytes() }
        return Instant(milliseconds: milliseconds)
    }

    mutating func value() throws(MalformedFeedBytes) -> FeedValue? {
        switch try byte() {
        case 0: return nil
        case 1: return .right(try right())
        case 2: return .balance(try signed())
        case 3: return .finding
        case 4:
            guard let state = OrderState(rawValue: try text()) else { throw MalformedFeedBytes() }
            return .order(state)
        case 5:
            var owners: [AccountID] = []
            for _ in 0..<(try count()) { owners.append(try account()) }
            return .owners(owners)
        case 6:
            guard rest.count >= 32, let digest = Digest256(Array(rest.prefix(32))) else {
                throw MalformedFeedBytes()
            }
            rest.removeFirst(32)
            return .policy(digest)
        case 7:
            let units = try signed()
            return .lapse(CreditLapse(at: try instant(), units: units))
        default: throw MalformedFeedBytes()
        }
    }

    mutating func account() throws(MalformedFeedBytes) -> AccountID {
        guard let account = AccountID(try text()) else { throw MalformedFeedBytes() }
        return account
    }

    private mutating func right() throws(MalformedFeedBytes) -> FeedValue.Right {
        let flags = try byte()
        var right = FeedValue.Right(decision: flags & 1 != 0)
        if flags & 2 != 0 {
            guard let state = EntitlementState(rawValue: try text()) else {
                throw MalformedFeedBytes()
            }
            right.state = state
        }
        if flags & 4 != 0 { right.until = try instant() }
        return right
    }
}

extension FeedOutlook {
    private static let version: UInt8 = 1

    /// As stores keep it.
    package var bytes: [UInt8] {
        var writer = FeedWriter(bytes: [Self.version])
        writer.text(account?.text ?? "")
        for item in items {
            writer.bytes.append(item.key.topic.rawValue)
            writer.bytes.append(UInt8(item.key.environment.number))
            writer.text(item.key.subject)
            writer.value(item.present)
            writer.unsigned(UInt128(item.steps.count))
            for step in item.steps {
                writer.signed(Int128(step.at.milliseconds))
                writer.value(step.value)
            }
        }
        return writer.bytes
    }

    package init(bytes: [UInt8]) throws(MalformedFeedBytes) {
        var reader = FeedReader(bytes)
        guard try reader.byte() == Self.version else { throw MalformedFeedBytes() }
        let account = try reader.text()
        var items: [Item] = []
        while !reader.isAtEnd {
            guard let topic = Key.Topic(rawValue: try reader.byte()),
                let environment = StoreEnvironment(number: try reader.byte())
            else { throw MalformedFeedBytes() }
            var item = Item(
                key: Key(topic, environment, try reader.text()), present: try reader.value())
            for _ in 0..<(try reader.count()) {
                item.steps.append(Step(at: try reader.instant(), value: try reader.value()))
            }
            items.append(item)
        }
        self.init(items, account: AccountID(account))
    }
}

/// What stores keep of a change in one value, next to what it is found by.
extension FeedChange {
    package var payload: [UInt8] {
        var writer = FeedWriter()
        writer.value(before)
        writer.value(after)
        writer.unsigned(UInt128(cause.count))
        for entry in cause { writer.unsigned(UInt128(entry.number)) }
        if let corrected {
            writer.signed(Int128(corrected.start.milliseconds))
            if let end = corrected.end { writer.signed(Int128(end.milliseconds)) }
        }
        return writer.bytes
    }

    /// Puts back what `payload` holds.
    package mutating func read(payload: [UInt8]) throws(MalformedFeedBytes) {
        var reader = FeedReader(payload)
        before = try reader.value()
        after = try reader.value()
        cause = []
        for _ in 0..<(try reader.count()) {
            guard let number = Int64(exactly: try reader.unsigned()) else {
                throw MalformedFeedBytes()
            }
            cause.append(LedgerSequence(number))
        }
        guard !reader.isAtEnd else { return }
        let start = try reader.instant()
        let end = reader.isAtEnd ? nil : try reader.instant()
        guard let interval = Interval(from: start, to: end), reader.isAtEnd else {
            throw MalformedFeedBytes()
        }
        corrected = interval
    }
}

extension StoreEnvironment {
    fileprivate init?(number: UInt8) {
        guard let environment = Self.allCases.first(where: { $0.number == Int64(number) }) else {
            return nil
        }
        self = environment
    }
}
