internal import EntitlementAnswers
internal import EntitlementModel

/// What all commands say to people.
enum Phrase: CaseIterable, LocalizedText {
    case mayUse, mayNotUse, until, because, listSeparator, clauseSeparator, grant, rule
    case builtInRule, noService, noServiceNorLedger, serviceRejected, unreadableAnswer
    case ledgerUnusable, fileUnreadable, fileUnwritable, played, policyClean
    case policyFolderUnreadable, serving, policyRefusedAtStart, lastPolicyStays, policyWaits
    case policyHasErrors
    case unknownAccount, nothingKnown, unknownCommand, seeHelp
    case unknownEntitlement, mistake, noArguments
}

/// What the pages on an account say: `show`, `findings`, `claims list` and the parts that
/// `explain` shares with them.
enum AccountPhrase: CaseIterable, LocalizedText {
    case title, mergedInto, nothingKnown, rights, purchases, balances, grants, blocks, claims,
        findings
    case orders, leftOut, yes, no, always, since, until, fromUntil, paidUntil, expiredBecause,
        lineage
    case transaction, appleID, ownedAlways, ownedBy, ownedByNobody, entries, noCredits, balanceIs
    case grantNamed, given, givenBy, grantOver, blockStanding, blockStops, blockOver, claim, owners
    case noOwner, noFindings, findingsIncomplete, noClaims, nothingOtherwise, today,
        leftByOlderRules, about, repeated, duplicateSide
    case overlap, keep, titled, purchaseCount, purchasedAt, quantity, familyShared
    case seats, commitmentMonth, commitmentEnd
}

/// What pages say of the renewals to come.
enum RenewalPhrase: CaseIterable, LocalizedText {
    case renewsAt, renewsAs, unknown, price, paidLast, offer
}

/// What a period was bought with: the words of conditions on `offer`.
enum OfferPhrase: String, CaseIterable, LocalizedText {
    case introductory, promotional, retention
    case freeTrial = "free-trial"
    case offerCode = "offer-code"
    case winBack = "win-back"
    /// Of a type that Apple added since.
    case other
}

/// What `usher find` says.
enum FindPhrase: CaseIterable, LocalizedText {
    case line, accounts, presentedBy, mergedInto, products, entry, nothing
}

/// What an id is: the kinds of `FoundMeaning`.
enum FoundKindPhrase: String, CaseIterable, LocalizedText {
    case transaction, lineage, token, claim, order, grant, block, merge, ticket, account
    case appleID = "apple-id"
    case lineItem = "line-item"
    case appleOrder = "apple-order"
}

/// What `usher explain` says.
enum ExplainPhrase: CaseIterable, LocalizedText {
    case asked, because, stateIs, revokedAt, leftFamilyAt, silentSince, becameProduct, holds
    case holdsAlways, source, granted, renews, renewsAs, doesNotRenew, retries, graceUntil,
        purchases
    case noPurchases, notOwned, claims, noClaims, grants, blocks, unclaimed, facts, noFacts
    case factTransaction, factBought, factPaidUntil, factRevoked, factSigned, factRecorded
    case factRenewal, factClaimDecision, factRuling, factMerge, factUnmerge, factGrant
    case factGrantRevocation, factBlock, factOther, evidence, wouldChange, missTime
    case missLiftBlock, missApproveClaim, missTransferClaim, missExtendGrant, missRenew
    case missShareAgain, missAssignAgain, missTransferOrWait
    case missReverseRefund, missBuy, missRefund, missRevokeGrant, missBlock, missPolicy, missMerged
    case command, orders, order
}

/// What the commands say by which a person changes something, and preflight before a purchase.
enum AdminActionPhrase: CaseIterable, LocalizedText {
    case granted, creditGranted, revoked, blocked, unblocked, ruledFor, ruledNobody
    case ruledDenied, merged, unmerged, policyActivated, policyUnchanged, policyRolledBack,
        checkFolder, proceed
    case warn, block, claimWouldBe, owner, orderSettled, orderGiven, orderRefused
    case orderReassigned, orderUndone, costs, costsEvery, inStorefront, storefrontUnknown
    case claimWouldBeBoth, takesEffectAt
}

/// What `usher credits …` says.
enum CreditPhrase: CaseIterable, LocalizedText {
    case held, frozen, opening, closing, entry, spent, heldUntil, captured, released, reversed
    case lifted, nothingToLift
}

/// What `usher orders …` says.
enum OrderPhrase: CaseIterable, LocalizedText {
    case title, noOrders, noLost, account, product, quantity, price, priceUnknown, appleID
    case environment, policy, changed, payment, parent, events, made, event, by, storeCode
    case movedTo, presentedBy, gave, matched, compared, differs, reports, next, nothing, age, more
    case state
    case eventColumn, after, unpaid, undone, legal, nextStep, difference
    case owned, unowned, takes, owners, refused
}

/// What `usher changes` says.
enum FeedPhrase: CaseIterable, LocalizedText {
    case fromTo
}

/// What `usher evidence …` says.
enum TicketPhrase: CaseIterable, LocalizedText {
    case title, none, fromFile, attempts, next, failure, closed, code, transaction, unowned
    case idClaimsNothing
}

/// Codes of orders in words.
extension OrderState: LocalizedText {}
extension OrderEventKind: LocalizedText {}
extension OrderMatchBasis: LocalizedText {}
extension OrderComparison.Likeness: LocalizedText {}
extension OrderDifference: LocalizedText {}

/// What is said of a policy that may take something away.
enum PolicyPhrase: CaseIterable, LocalizedText {
    case unchanged, activates, accepted, waits, waitsForPerson, more, otherAcceptance, howToAccept
    case notCounted, notCompared, counted, tooMany, rolledBack, harmless, missingFiles, filesGone
}

/// What `usher ingest` says.
enum IngestPhrase: CaseIterable, LocalizedText {
    case done, rate, left, refusedSoFar, refused, keptAside, claimDenied, more, summary
    case policyWaits, stopping, stopped, badLine, badFile, recordedAt, notImported
}

/// What `usher ledger …` says.
enum LedgerPhrase: CaseIterable, LocalizedText {
    case verifying, sound, soundChain, notSound, looked, otherRules, unknownDecisions, erased
    case problem, anchor, backedUp, noFolder, restored, notRestored, copied, newest, newestAt
    case accounts, lineages, transactions, size, sizeWithLog, outdated, entries
}

/// What is said of settings.
enum SettingPhrase: CaseIterable, LocalizedText {
    case bad, placed, unknown, unknownVariable, didYouMean, range, mode, group, peers, callerNames
    case baseURL
    case serverURL, anyText, ledgerFile, databaseFile, node, ledgerName
    case withoutDatabases
    case databaseUnreadable, databaseExposed, databaseLines, databaseVariable
    case twoDatabases, withoutValue
    case fileMissing, fileFolder, fileUnreadable, fileNotText, fileNotMapping, fileTwice, fileSyntax
}

/// What Apple's numbers mean: `errorCode` of the App Store Server API, `status` of verifyReceipt.
enum AppleCodePhrase: Int, CaseIterable, LocalizedText {
    case transactionIDInvalid = 4_000_006
    case noAppTransactionID = 4_000_048
    case cannotExtend = 4_030_004
    case accountNotFound = 4_040_001
    case accountNotFoundNow = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundNow = 4_040_004
    case originalNotFound = 4_040_005
    case originalNotFoundNow = 4_040_006
    case noNotificationURL = 4_040_007
    case testNotFound = 4_040_008
    case extensionNotFound = 4_040_009
    case transactionNotFound = 4_040_010
    case noAppTransaction = 4_040_019
    case tooOften = 4_290_000
    case failure = 5_000_000
    case failureNow = 5_000_001
    case receiptNotPosted = 21_000
    case receiptMalformed = 21_002
    case receiptNotAuthentic = 21_003
    case wrongSecret = 21_004
    case receiptServerDown = 21_005
    case receiptExpired = 21_006
    case receiptOfSandbox = 21_007
    case receiptOfProduction = 21_008
    case receiptDataFailure = 21_009
    case customerGone = 21_010
}

/// What is said where Apple's servers cannot be asked as the settings have it.
enum AppStoreSetupPhrase: CaseIterable, LocalizedText {
    case notConfigured, incomplete, unreadable, exposed, issuerID, keyID, notPEM, notP256
    case secret, bundleID
}

/// What `usher app-store …` says.
enum AppStorePhrase: CaseIterable, LocalizedText {
    case subscription, status, transactions, revision, more, next, noMore, attempts, badReport
    case noAttempts, attempt, order, unknownOrder, testRequested, finished, tokenSet
    case consumptionSent, extended, notExtended, extensionRequested, extensionRunning
    case extensionDone, environment
}

/// How a subscription stands, by Apple's number.
enum AppStoreStatusPhrase: Int, CaseIterable, LocalizedText {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case grace = 4
    case revoked = 5
}

/// Why Apple's servers gave no answer: the kinds of `AppStoreFailure`.
enum AppStoreFailurePhrase: String, CaseIterable, LocalizedText {
    case unauthorized
    case notFound = "not-found"
    case rateLimited = "rate-limited"
    case unavailable
    case network
    case badAnswer = "bad-answer"
    case rejected
}

/// What belongs to such a sentence.
enum AppStoreFailureDetail: CaseIterable, LocalizedText {
    case code, codeMeaning, status, library, retryAt
}

/// What `usher status` says.
enum StatusPhrase: CaseIterable, LocalizedText {
    case ready, readOnly, diskFull, version, running, since, days, hours, minutes, policy
    case policyRejected, ledger, kept, ledgerUnreadable, ledgerReplaced, clockBehind
    case clockStepped, feedAhead, connections, open, turnedAway, questions, linesLost, evidence
    case judged, refused, unrecorded, quarantined, comma, waiting, nothingWaits, waits, appStore
    case push, fleet, fleetLedger, fleetLeads, fleetFollows, fleetAlone, fleetProblem, noLeader
    case fleetSince, halted, policyUnreadable, feedBehind, untoldEntries, untoldPolicy, untoldTime
}

/// How a claim stands beyond what `ClaimDenial` names.
enum ClaimStandingPhrase: String, CaseIterable, LocalizedText {
    case accepted
    case alreadyOwned = "already-owned"
    case approved
    case unknownTransaction = "unknown-transaction"
}

/// What `usher simulate play` says of steps that it does not play or check.
enum PlayPhrase: CaseIterable, LocalizedText {
    case notChecked, notPlayed, outsideStore, withoutService, notAsked, changedSince
    case incomplete
}

/// What `usher simulate serve` says.
enum BoxPhrase: CaseIterable, LocalizedText {
    case serving, trust, badListen, badNotify, badStart, badSeed, badNumber, badKeys, otherSeed
    case notServing
}

/// What `usher reconcile` says.
enum ReconciliationPhrase: CaseIterable, LocalizedText {
    case run, running, finished, stopped, resumed, from, customers, of, calls
    case notifications, written, unanswered, refused, noDrift, nothingCompared, drift, customer
    case noCustomer
    case notification, status, omitted, progress, risk, planCustomers, planLineages, every
    case hours, silent, callsPerDay, due, callsDue, sum, allowed, duration, last, found
}

extension DriftCause: LocalizedText {}
extension RiskClass: LocalizedText {}

/// What `usher refunds …` says.
enum RefundPhrase: CaseIterable, LocalizedText {
    case none, noneYet, sendsNothing, title, asked, reason, wouldSay, said, used, sample
    case tellsNothing, at, byPerson, howTo, preview, withoutConsent, newest, needsLedger
    case consentGiven, consentWithdrawn, recorded, consents, consentsNot, file, begun
}
