internal import EntitlementModel

/// The words around what a command says of itself. In English the parser of the command line says
/// them; the sentences of mistakes are its own, so that one is known by its English text.
enum UsagePhrase: CaseIterable, LocalizedText {
    case overview, usage, arguments, options, subcommands, example, error, help
    case values, standard, moreHelp, seeHelp
    case unknownOptionMeant, unknownOption, missingValue, takesNoValue, unexpected,
        severalUnexpected
    case alreadySet, missingArgument, missingOneOf, notOneOfList, notOneOf, invalidBecause, invalid

    /// What is wrong with a command line; of two that fit a text the first is meant.
    static let mistakes: [UsagePhrase] = [
        .unknownOptionMeant, .unknownOption, .missingValue, .takesNoValue, .unexpected,
        .severalUnexpected, .alreadySet, .missingArgument, .missingOneOf, .notOneOfList, .notOneOf,
        .invalidBecause, .invalid,
    ]
}
