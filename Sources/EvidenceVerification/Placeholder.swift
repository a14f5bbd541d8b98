enum EvidenceVerificationPlaceholder {}
