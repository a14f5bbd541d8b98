internal import ArgumentParser
internal import EntitlementModel

/// What is wrong with arguments that the parser of the command line has read.
enum ArgumentPhrase: CaseIterable, LocalizedText {
    case range, exclusive, belongsTo, statementOnly, needs, needsEither, bothNeed, together
    case notNegative, aboveZero, notWithAccount, notCredit, reference, ascii, uuid, fromBeforeTo
    case extensionDays, storefronts, storefront, consent, advanced, delivery, appleServers
    case patternLength, withNeither, fixFormats, folderOnce, changesNow, followService
    case contradiction, notCursor, allOrOne, pace, planOnly, appleNow, oneOrTwoFolders
    case twoFolders, acceptReason, accountsLedger, accountsFile, copyOrReason, serviceReason
    case copyName, copyCommand, copySides, entryNumber, anchor, ordersNow, gift, waitingNow
    case reviewNow, inspected, outOrSocket, findNow, pastAccount, pictureEnds, pictureWidth
    case consentWord, appleIDKey, name, date
}

extension ValidationError {
    /// In the reader's language: the parser hands the sentence on.
    init(_ phrase: ArgumentPhrase, _ values: String...) {
        self.init(phrase.filled(with: values.map(\.shown), in: Usher.language))
    }
}
