internal import EntitlementModel
internal import StrictJSON

/// Reads members of an object in a verifyReceipt answer (spec 4.6): numbers and booleans come as
/// strings, and now and then as what they are; empty is as good as absent.
struct AnswerReader {
    let document: JSONDocument
    let object: JSONOffset

    func text(_ key: StaticString) throws(PayloadFault) -> String? {
        guard let place = document.stated(key, of: object) else { return nil }
        if let text = document.string(at: place) { return text.isEmpty ? nil : text }
        if let number = document.number(at: place) { return number.text }
        if let flag = document.bool(at: place) { return flag ? "true" : "false" }
        throw PayloadFault(.payloadType, "\(key)")
    }

    func integer(_ key: StaticString) throws(PayloadFault) -> Int64? {
        guard let text = try text(key) else { return nil }
        guard let number = Int64(digits: text) else {
            throw PayloadFault(.payloadType, "\(key)", .found(text.shown(atMost: 40)))
        }
        return number
    }

    func flag(_ key: StaticString) throws(PayloadFault) -> Bool? {
        switch try text(key) {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        case let other?:
            throw PayloadFault(.payloadType, "\(key)", .found(other.shown(atMost: 40)))
        }
    }

    /// An instant by its milliseconds; where those are missing, by the text in GMT, which the form of
    /// iOS 6 replaces with milliseconds.
    ///
    /// - Parameter formatted: the member that has the text in the form of iOS 6.
    func date(
        _ key: StaticString, _ milliseconds: StaticString, formatted: StaticString? = nil
    ) throws(PayloadFault) -> Instant? {
        if let number = try integer(milliseconds) { return Instant(milliseconds: number) }
        for name in [key, formatted].compactMap(\.self) {
            guard let text = try text(name) else { continue }
            if let number = Int64(digits: text) { return Instant(milliseconds: number) }
            guard let instant = Instant(gmt: text) else {
                throw PayloadFault(.payloadType, "\(name)", .found(text.shown(atMost: 40)))
            }
            return instant
        }
        return nil
    }

    /// Nil if there is none; a value that is not an ID is a fault.
    func id<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID? {
        guard let text = try text(key) else { return nil }
        guard let id = ID(text) else {
            throw PayloadFault(.payloadID, "\(key)", .found(text.shown(atMost: 40)))
        }
        return id
    }

    func requiredID<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID {
        guard let id = try id(key, as: type) else { throw PayloadFault(.payloadMissing, "\(key)") }
        return id
    }

    /// A value that may be single or a list: the form of iOS 6 has an object where the later one
    /// has an array.
    func list(_ key: StaticString) throws(PayloadFault) -> [AnswerReader] {
        guard let place = document.stated(key, of: object) else { return [] }
        if document.isObject(at: place) { return [AnswerReader(document: document, object: place)] }
        guard document.isArray(at: place) else { throw PayloadFault(.payloadType, "\(key)") }
        return document.elements(of: place).map {
            AnswerReader(document: document, object: $0)
        }
    }

    /// SHA-256 of the object's canonical form.
    var digest: Digest256 { sha256(document.value(at: object).canonical()) }
}

extension Int64 {
    /// Digits only: no sign, no exponent, no blank.
    fileprivate init?(digits text: String) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension Instant {
    /// Reads `2024-05-01 12:00:00 Etc/GMT`.
    fileprivate init?(gmt text: String) {
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix) else { return nil }
        let parts = text.dropLast(suffix.count).split(
            separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(rfc3339: "\(parts[0])T\(parts[1])Z")
    }
}
