internal import EntitlementModel

/// The words around what a command says of itself, and what is wrong with a command line.
enum UsagePhrase: CaseIterable, LocalizedText {
    case overview, usage, arguments, options, subcommands, example, error, help
    case values, standard, moreHelp, seeHelp
    case unknownOptionMeant, unknownOption, missingValue, takesNoValue, unexpected,
        severalUnexpected
    case missingArgument, notOneOf, invalidBecause, invalid
}
