internal import EntitlementModel

/// What `usher policy schedule`, `scheduled` and `unschedule` say.
enum SchedulePhrase: CaseIterable, LocalizedText {
    case title, scheduled, unscheduled, whoLoses, whoLosesThen, losingBeside, nothing, earlier
    case due, by, losses, noLosses
    case losing, accepted, would, wouldNot, next, applied, takenBack, refused, alreadyInForce
    case errors, notAccepted, tooManyLosing, otherBase, rolledBack, erased, superseded
}
