internal import EntitlementModel

/// Why `usher policy check --fix --write` changed nothing.
enum RepairFailurePhrase: CaseIterable, LocalizedText {
    case readOnly, changedMeanwhile, unwritable
}

/// What `usher policy explain` says of a name that nothing has.
enum ExplainUnknownPhrase: CaseIterable, LocalizedText {
    case unknown, unknownNear
}
