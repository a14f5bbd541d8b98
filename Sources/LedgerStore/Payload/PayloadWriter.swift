internal import EntitlementModel
internal import StrictJSON

/// Members of a payload. Nil writes nothing.
extension JSONWriter {
    mutating func field(_ key: String, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    mutating func field(_ key: String, _ number: Int64?) {
        guard let number else { return }
        self.key(key)
        integer(number)
    }

    mutating func field(_ key: String, _ flag: Bool?) {
        guard let flag else { return }
        self.key(key)
        bool(flag)
    }

    mutating func field(_ key: String, _ identifier: (some Identifier)?) {
        field(key, identifier?.text)
    }

    mutating func field(_ key: String, _ instant: Instant?) {
        field(key, instant?.milliseconds)
    }

    mutating func field(_ key: String, _ sequence: LedgerSequence?) {
        field(key, sequence?.number)
    }

    mutating func field(_ key: String, _ digest: Digest256?) {
        field(key, digest?.hexadecimal)
    }

    mutating func field<Word: RawRepresentable<String>>(_ key: String, _ word: Word) {
        field(key, word.rawValue)
    }

    /// A known word as a string, an unknown one as `{"unknown":"…"}`, so that no spelling of
    /// Apple's is ever taken for one of ours.
    mutating func field<Word: RawRepresentable<String>>(_ key: String, _ stated: Stated<Word>?) {
        switch stated {
        case nil: return
        case .known(let word): field(key, word)
        case .unknown(let text): unknown(key, text)
        }
    }

    mutating func unknown(_ key: String, _ text: String) {
        self.key(key)
        beginObject()
        field("unknown", text)
        endObject()
    }

    mutating func object(_ key: String, _ body: (any PayloadObject)?) {
        guard let body else { return }
        self.key(key)
        object(body)
    }

    mutating func object(_ body: any PayloadObject) {
        beginObject()
        body.write(to: &self)
        endObject()
    }

    mutating func array(_ key: String, of objects: [some PayloadObject]) {
        self.key(key)
        beginArray()
        for body in objects { object(body) }
        endArray()
    }

    mutating func array(_ key: String, of identifiers: [some Identifier]) {
        self.key(key)
        beginArray()
        for identifier in identifiers { string(identifier.text) }
        endArray()
    }
}
