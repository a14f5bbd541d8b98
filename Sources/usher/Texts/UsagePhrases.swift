internal import EntitlementModel

/// The words around what a command says of itself, and what is wrong with a command line.
enum UsagePhrase: String, CaseIterable, UsherText, Wording {
    case overview = "OVERVIEW: {0}"
    case usage = "Usage: {0}"
    case arguments = "ARGUMENTS:"
    case options = "OPTIONS:"
    case subcommands = "SUBCOMMANDS:"
    case example = "Example: "
    case error = "Error: {0}"
    case help = "Help:  {0}"
    case values = "(values: {0})"
    case standard = "(default: {0})"
    case moreHelp = "See '{0} --help' for more information."
    case seeHelp = "See '{0} help <subcommand>' for detailed help."
    case unknownOptionMeant = "Unknown option '{0}'. Did you mean '{1}'?"
    case unknownOption = "Unknown option '{0}'"
    case missingValue = "Missing value for '{0}'"
    case takesNoValue = "The option '{0}' does not take any value, but '{1}' was specified."
    case unexpected = "Unexpected argument '{0}'"
    case severalUnexpected = "{0} unexpected arguments: {1}"
    case missingArgument = "Missing expected argument '{0}'"
    case notOneOf = "The value '{0}' is invalid for '{1}'. Please provide one of {2}"
    case invalidBecause = "The value '{0}' is invalid for '{1}': {2}"
    case invalid = "The value '{0}' is invalid for '{1}'"
}
