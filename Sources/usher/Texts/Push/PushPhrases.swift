internal import EntitlementModel

/// What is wrong with a subscription of the settings file.
enum SubscriptionPhrase: CaseIterable, LocalizedText {
    case tooMany, name, notMapping, unknownKey, missing, url, unreadable, exposed, variable
    case secret, value
}

/// What `usher changes undelivered`, `resend` and `discard` say.
enum PushPhrase: CaseIterable, LocalizedText {
    case none, title, receiver, cursor, trouble, status, next, undelivered, change, again, more
    case resent, discarded, wasDiscarded, waiting, unknown
}

/// By the state's own word.
enum PushStatePhrase: String, CaseIterable, LocalizedText {
    case idle, delivering, failing, gone, full, elsewhere
}

/// By the trouble's own word.
enum PushTroublePhrase: String, CaseIterable, LocalizedText {
    case rejected, failed, busy, gone, unreachable
}
