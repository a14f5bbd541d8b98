internal import EntitlementModel
internal import StrictJSON

/// The JSON type of every member that Apple documents. An unlisted member is new: kept and ignored
/// (spec 4.0).
struct PayloadSchema: Sendable {
    private typealias Member = (name: StaticString, type: MemberType)

    /// By the length of their names: that leaves one or two to compare with.
    private let members: [[Member]]

    init(_ groups: [MemberType: [StaticString]]) {
        let members = groups.flatMap { type, names in names.map { Member($0, type) } }
        let longest = members.map(\.name.utf8CodeUnitCount).max() ?? 0
        self.members = (0...longest).map { length in
            members.filter { $0.name.utf8CodeUnitCount == length }
        }
    }

    /// The first member that has another type than documented; nil if none.
    func fault(
        in object: JSONOffset, of payload: JSONDocument, allowsFractions: Bool
    ) -> PayloadFault? {
        guard payload.isObject(at: object) else { return PayloadFault(.payloadType, nil) }
        for (name, value) in payload.members(of: object) {
            // Null means absent.
            guard !payload.isNull(at: value), let member = member(named: name, of: payload)
            else { continue }
            if !member.type.fits(value, of: payload, allowsFractions: allowsFractions) {
                let type = MemberType(of: value, in: payload)
                return PayloadFault(
                    .payloadType, "\(member.name)", .type(expected: member.type, found: type))
            }
        }
        return nil
    }

    /// Whether Apple documents the member as an instant, wherever it is.
    static func isDate(_ name: String) -> Bool { dates.contains(name) }

    private static let dates: Set<String> = {
        let schemas = [transaction, renewalInfo, appTransaction, notification, nested]
        let members = schemas.flatMap { $0.members.joined() }
        return Set(members.filter { $0.type == .date }.map { "\($0.name)" })
    }()

    private func member(named name: JSONOffset, of payload: JSONDocument) -> Member? {
        guard let length = payload.plainText(at: name)?.count else {
            return members.joined().first { payload.hasText($0.name, at: name) }
        }
        guard length < members.count else { return nil }
        return members[length].first { payload.hasText($0.name, at: name) }
    }
}

extension MemberType {
    fileprivate init(of value: JSONOffset, in payload: JSONDocument) {
        self =
            if payload.isString(at: value) {
                .string
            } else if payload.isArray(at: value) {
                .array
            } else if payload.isObject(at: value) {
                .object
            } else if payload.bool(at: value) != nil {
                .bool
            } else { .number }
    }

    fileprivate func fits(
        _ value: JSONOffset, of payload: JSONDocument, allowsFractions: Bool
    ) -> Bool {
        switch self {
        case .string: payload.isString(at: value)
        case .integer: payload.int64(at: value) != nil
        case .number: payload.number(at: value) != nil
        case .date:
            payload.int64(at: value) != nil
                || (allowsFractions && payload.flooredInt64(at: value) != nil)
        case .bool: payload.bool(at: value) != nil
        case .array: payload.isArray(at: value)
        case .object: payload.isObject(at: value)
        }
    }
}

/// What keeps a rightly signed payload from having effect.
struct PayloadFault: Error, Hashable {
    let code: QuarantineCode
    let field: String?
    let detail: VerificationRefusalDetail?

    init(_ code: QuarantineCode, _ field: String?, _ detail: VerificationRefusalDetail? = nil) {
        self.code = code
        self.field = field
        self.detail = detail
    }
}
