internal import EvidenceVerification

extension EvidenceVerdict {
    /// The verdict as tables write it: `accepted`, or the code that stands against it.
    var summary: String {
        switch self {
        case .accepted: "accepted"
        case .quarantined(let evidence): evidence.part.code.rawValue
        case .rejected(let rejection): rejection.code.rawValue
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

    var rejection: Rejection? {
        guard case .rejected(let rejection) = self else { return nil }
        return rejection
    }
}
