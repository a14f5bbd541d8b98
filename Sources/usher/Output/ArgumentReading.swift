internal import ArgumentParser
internal import EntitlementModel

/// Reads a name: for arguments that are one.
func readName<ID: Identifier>(_ text: String) throws -> ID {
    guard let id = ID(text) else {
        if ID.self == AppleIDKey.self {
            throw ValidationError(
                "a key of an Apple ID is 'atx:' or 'otx:', an environment, ':' and digits, "
                    + "like otx:production:400000000001001")
        }
        throw ValidationError(
            "a name is printable ASCII without spaces, of at most \(ID.maximumLength) bytes")
    }
    return id
}

/// Reads an instant: for arguments that are one.
func readInstant(_ text: String) throws -> Instant {
    guard let instant = Instant(rfc3339: text) else {
        throw ValidationError("a date is written like 2026-03-01 or 2026-03-01T12:00:00Z")
    }
    return instant
}

extension StoreEnvironment: ExpressibleByArgument {}
