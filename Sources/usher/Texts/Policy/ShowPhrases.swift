internal import EntitlementModel

/// What `usher policy show` says instead of tables.
enum ShowPhrase: CaseIterable, LocalizedText {
    case unknownEntitlement
}
