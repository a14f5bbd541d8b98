internal import EvidenceVerification

extension EvidenceVerdict {
    /// The verdict as tables write it: `accepted`, or the code that stands against it.
    var summary: String {
        switch self {
        case .accepted: "accepted"
        case .quarantined(let evidence): evidence.part.code.rawValue
        case .refused(let refusal): refusal.code.rawValue
        }
    }

    var accepted: VerifiedEvidence? {
        guard case .accepted(let evidence) = self else { return nil }
        return evidence
    }

    var quarantined: QuarantinedEvidence? {
        guard case .quarantined(let evidence) = self else { return nil }
        return evidence
    }

    var refusal: VerificationRefusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }
}
