internal import EntitlementModel

/// What is said of stories.
package enum StoryPhrase: CaseIterable, LocalizedText {
    case decidedBy, unitIs, ownedByAnother, nothingGivesIt, changesAt, notPlayed, summary
    case coverage, unusedRule, unseenCell, belowCoverage, inStore, outsideStore, expectations
    case nothingMatches, builtIn
}
