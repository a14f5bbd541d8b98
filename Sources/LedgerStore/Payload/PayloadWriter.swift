internal import EntitlementModel
internal import StrictJSON

/// Members of a payload. Nil writes nothing.
extension JSONWriter {
    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        member(name, text)
    }

    mutating func field(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        member(name, number)
    }

    mutating func field(_ name: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        member(name)
        bool(flag)
    }

    mutating func field(_ name: StaticString, _ identifier: (some Identifier)?) {
        field(name, identifier?.text)
    }

    mutating func field(_ name: StaticString, _ instant: Instant?) {
        field(name, instant?.milliseconds)
    }

    mutating func field(_ name: StaticString, _ sequence: LedgerSequence?) {
        field(name, sequence?.number)
    }

    mutating func field(_ name: StaticString, _ digest: Digest256?) {
        guard let digest else { return }
        member(name)
        digest.withUnsafeBytes { string(hexadecimal: $0) }
    }

    mutating func field<Word: RawRepresentable<String>>(_ name: StaticString, _ word: Word) {
        field(name, word.rawValue)
    }

    /// A known word as a string, an unknown one as `{"unknown":"…"}`, so that no spelling of
    /// Apple's is ever taken for one of ours.
    mutating func field<Word: RawRepresentable<String>>(
        _ name: StaticString, _ stated: Stated<Word>?
    ) {
        switch stated {
        case nil: return
        case .known(let word): field(name, word)
        case .unknown(let text): unknown(name, text)
        }
    }

    mutating func unknown(_ name: StaticString, _ text: String) {
        member(name)
        beginObject()
        field("unknown", text)
        endObject()
    }

    mutating func optionalObject(_ name: StaticString, _ body: (some PayloadObject)?) {
        guard let body else { return }
        object(name, body)
    }

    /// Not the one above with a body that is there: a snapshot would be copied into the optional.
    mutating func object(_ name: StaticString, _ body: some PayloadObject) {
        member(name)
        object(body)
    }

    mutating func object(_ body: some PayloadObject) {
        beginObject()
        body.write(to: &self)
        endObject()
    }

    mutating func array(_ name: StaticString, of objects: [some PayloadObject]) {
        member(name)
        beginArray()
        for body in objects { object(body) }
        endArray()
    }

    mutating func array(_ name: StaticString, of identifiers: [some Identifier]) {
        member(name)
        beginArray()
        for identifier in identifiers { string(identifier.text) }
        endArray()
    }
}
