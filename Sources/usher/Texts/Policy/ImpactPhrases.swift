internal import EntitlementModel

/// What `usher policy diff` and `usher policy check` say of accounts.
enum ImpactPhrase: CaseIterable, LocalizedText {
    case title, counts, nobody, loses, gains, environment, now, from, firstAt, on
    case paid, examples, noPurchase
    case searching, deriving, stopped, resumable, accepted, nothingToAccept, since, lose, gain
    case nobodyLoses, nobodyGains, cells, wider, narrower, both, undecided, lostWhen, gainedWhen
    case usual, otherLosses, nothingNarrower, open
    case lasts, never, whileState, forAge, fromAge, betweenAges, switches, zone
    case laterBegin, laterEnd, laterChange, useDays, outOfReach
    case losingLater, undoing, edits, added, removed, changed, changedKeys, reordered
}
