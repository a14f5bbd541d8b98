internal import EntitlementModel
internal import StrictJSON

/// What verifyReceipt answered, read as far as it says whom it is about (spec 4.6).
///
/// It is not signed: who hands it to the verifier vouches for where it comes from.
struct ReceiptAnswer {
    /// `receipt`: with `in_app` and `bundle_id`, or, in the form of iOS 6, one purchase and `bid`.
    let receipt: AnswerReader
    let root: AnswerReader
    let isOfIOS6: Bool
    let bundle: String?
    let environmentName: String?
    /// The environment in the receipt's own words; nil where it says none that is known.
    let receiptEnvironment: StoreEnvironment?
    /// The app's number, wherever it is stated; 0 (sandbox) means absent.
    let appIDs: [String]
    /// When Apple answered; nil in the form of iOS 6.
    let requestedAt: Instant?
    /// When the receipt was made; nil in the form of iOS 6.
    let createdAt: Instant?
    /// SHA-256 of the canonical form of the whole answer.
    let digest: Digest256

    init(_ bytes: [UInt8], limits: VerificationLimits) throws(Refusal) {
        guard bytes.count <= limits.answerBytes else { throw Refusal(.inputTooLarge) }
        let document = try Self.parse(bytes, limits: limits)
        do throws(PayloadFault) {
            let root = AnswerReader(document: document, object: .root)
            let status = try root.integer("status")
            guard let status else { throw PayloadFault(.payloadMissing, "status") }
            guard status == 0 || status == Self.expired else {
                throw PayloadFault(.payloadType, "status", .found("\(status)"))
            }
            guard let place = document.stated("receipt", of: .root), document.isObject(at: place)
            else { throw PayloadFault(.payloadMissing, "receipt") }
            let receipt = AnswerReader(document: document, object: place)
            self.root = root
            self.receipt = receipt
            isOfIOS6 =
                document.stated("bundle_id", of: place) == nil
                && document.stated("in_app", of: place) == nil
            bundle = try receipt.text(isOfIOS6 ? "bid" : "bundle_id")
            environmentName = try root.text("environment")
            receiptEnvironment = Self.environment(ofType: try receipt.text("receipt_type"))
            appIDs = [try receipt.text("app_item_id"), try receipt.text("adam_id")]
                .compactMap(\.self).filter { $0 != "0" }
            requestedAt = try receipt.date("request_date", "request_date_ms")
            createdAt = try receipt.date("receipt_creation_date", "receipt_creation_date_ms")
            digest = sha256(document.canonical())
        } catch {
            guard error.code != .payloadMissing, let field = error.field else {
                throw Refusal(.answerMalformed, error.field.map { .missing($0) })
            }
            throw Refusal(field == "status" ? .answerStatus : .answerMalformed, error.detail)
        }
    }

    /// Valid, but its subscription has expired: in the form of iOS 6 only.
    private static let expired: Int64 = 21_006

    private static func environment(ofType type: String?) -> StoreEnvironment? {
        switch type {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": .sandbox
        default: nil
        }
    }

    private static func parse(
        _ bytes: [UInt8], limits: VerificationLimits
    ) throws(Refusal) -> JSONDocument {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(
                bytes, limits: JSONLimits(bytes: limits.answerBytes, values: limits.answerValues))
        } catch {
            switch error.code {
            case .encoding: throw Refusal(.inputEncoding)
            case .duplicateKey: throw Refusal(.inputDuplicateKey)
            case .number: throw Refusal(.inputNumber)
            case .tooLarge: throw Refusal(.inputTooComplex)
            case .malformed: throw Refusal(.answerMalformed)
            }
        }
        guard document.isObject(at: .root) else { throw Refusal(.answerMalformed) }
        return document
    }
}

extension ReceiptAnswer {
    /// The same answer with its environment, if it is an object that says none.
    static func stating(_ environment: StoreEnvironment, in bytes: [UInt8]) -> [UInt8] {
        guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")),
            let document = try? JSONDocument(
                bytes, limits: JSONLimits(bytes: bytes.count, values: bytes.count)),
            document.isObject(at: .root), document.member("environment", of: .root) == nil
        else { return bytes }
        let member = "\"environment\":\"\(environment.signedName)\","
        return bytes[...brace] + Array(member.utf8) + bytes[(brace + 1)...]
    }

    /// The last instant that a purchase of it names: an answer that says no instant of its own, and
    /// was not fetched just now, is true as of then at the latest.
    var lastStatedDate: Instant? {
        let elements = lists.flatMap { (try? $0.receipts(self)) ?? [] }
        return elements.flatMap { element in
            [
                try? element.date("purchase_date", "purchase_date_ms"),
                try? element.date("cancellation_date", "cancellation_date_ms"),
            ]
        }.compactMap { $0 ?? nil }.max()
    }

    /// What an answer consists of, in the order in which it is read.
    enum List: CaseIterable {
        case inApp
        case latest
        case latestExpired

        var form: EvidenceForm { self == .inApp ? .inApp : .latestReceiptInfo }

        func receipts(_ answer: ReceiptAnswer) throws(PayloadFault) -> [AnswerReader] {
            switch self {
            case .inApp:
                answer.isOfIOS6 ? [answer.receipt] : try answer.receipt.list("in_app")
            case .latest: try answer.root.list("latest_receipt_info")
            case .latestExpired: try answer.root.list("latest_expired_receipt_info")
            }
        }
    }

    var lists: [List] { List.allCases }

    /// In the form of iOS 6, a renewal is at the top level, about the one purchase.
    var renewals: [AnswerReader] {
        get throws(PayloadFault) {
            let listed = try root.list("pending_renewal_info")
            let document = root.document
            let isToldAtTop =
                isOfIOS6 && listed.isEmpty
                && (document.stated("auto_renew_status", of: .root) != nil
                    || document.stated("expiration_intent", of: .root) != nil)
            return isToldAtTop ? [root] : listed
        }
    }
}
