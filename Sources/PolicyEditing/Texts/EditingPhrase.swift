internal import EntitlementModel

/// What the language server says to people: in the editor, and in its log.
enum EditingPhrase: CaseIterable, LocalizedText {
    case started, streamEnded, streamUnreadable, messageRefused
    case help, example, moreLikeIt
    case required, oneOf, writtenLike, productCount, write
    case matches, givenBy, givenByNone, namedBy, gives, price, soldAs, levelOf, andMore
    case products, allProducts, noProducts, states, before, decidesNothing, openRights
    case notWhileErrors
}
