internal import EntitlementModel
internal import StrictJSON

extension EvidenceSource: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("canonicalDigest", canonicalDigest)
        writer.field("form", form)
        writer.field("receipt", receipt)
        writer.field("trust", trust)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let canonicalDigest = try fields.digest("canonicalDigest")
        let form = try fields.word("form", as: EvidenceForm.self)
        let receipt = try fields.optionalDigest("receipt")
        self.init(
            form: form, trust: try fields.word("trust"), canonicalDigest: canonicalDigest,
            receipt: receipt)
    }
}

extension Revocation: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("date", date)
        writer.field("percentage", percentage)
        writer.field("reason", reason)
        writer.field("type", type)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let date = try fields.instant("date")
        let percentage = try fields.optionalInteger("percentage")
        let reason = try fields.optionalInteger("reason")
        self.init(
            date: date, reason: reason, type: try fields.optionalStated("type"),
            percentage: percentage)
    }
}

extension MultiSeatInfo: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("invitationManagement", invitationManagement)
        writer.field("revokedSeatQuantity", revokedQuantity)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let invitationManagement = try fields.optionalText("invitationManagement")
        self.init(
            invitationManagement: invitationManagement,
            revokedQuantity: try fields.optionalInteger("revokedSeatQuantity"))
    }
}

extension RenewalCommitment: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("autoRenewProductId", autoRenewProductID)
        writer.field("autoRenewStatus", autoRenewStatus)
        writer.field("renewalBillingPlanType", renewalBillingPlanType)
        writer.field("renewalDate", renewalDate)
        writer.optionalObject("renewalPrice", renewalPrice)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let autoRenewProductID = try fields.optionalIdentifier(
            "autoRenewProductId", as: ProductID.self)
        let autoRenewStatus = try fields.optionalFlag("autoRenewStatus")
        let renewalBillingPlanType = try fields.optionalText("renewalBillingPlanType")
        let renewalDate = try fields.optionalInstant("renewalDate")
        self.init(
            autoRenewStatus: autoRenewStatus, autoRenewProductID: autoRenewProductID,
            renewalBillingPlanType: renewalBillingPlanType, renewalDate: renewalDate,
            renewalPrice: try fields.optionalObject("renewalPrice"))
    }
}

extension Offer: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("discountType", discountType)
        writer.field("identifier", identifier)
        writer.field("period", period)
        writer.field("type", type)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let discountType = try fields.optionalText("discountType")
        let identifier = try fields.optionalText("identifier")
        let period = try fields.optionalText("period")
        self.init(
            type: try fields.integer("type"), identifier: identifier,
            discountType: discountType, period: period)
    }
}

extension Price: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("currency", currency)
        writer.field("milliunits", milliunits)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let currency = try fields.optionalText("currency")
        self.init(milliunits: try fields.integer("milliunits"), currency: currency)
    }
}

extension JSONWriter {
    mutating func ownership(_ name: StaticString, _ ownership: Ownership) {
        switch ownership {
        case .unknown(let text): unknown(name, text)
        case .purchased, .familyShared, .assigned, .notStated: field(name, ownership.word)
        }
    }
}
