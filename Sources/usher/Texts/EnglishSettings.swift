internal import EntitlementModel

/// What is said in English of settings.
extension SettingPhrase {
    var english: String {
        switch self {
        case .bad: "the setting {0} cannot be '{1}'; allowed: {2}"
        case .placed: "{0}: {1}"
        case .unknown: "{1}: unknown setting '{0}'"
        case .withoutValue: "{1}: the setting '{0}' has no value; write {0}=VALUE"
        case .fileMissing: "there is no such file"
        case .fileFolder: "this is a folder, not a file"
        case .fileUnreadable: "the file cannot be read by this user"
        case .fileNotText: "the file is not YAML in UTF-8"
        case .fileNotMapping: "settings are written as 'name: value', not as a list or a text"
        case .fileTwice: "'{0}' is written twice"
        case .fileSyntax: "this is not YAML: {0}"
        case .unknownVariable: "unknown environment variable {0}"
        case .didYouMean: "; did you mean '{0}'?"
        case .range: "a whole number from {0} to {1}"
        case .mode: "an octal mode up to 0777"
        case .group: "a group name or number"
        case .peers: "uid:N=ROLE or gid:N=ROLE, separated by commas"
        case .callerNames: "uid:N=NAME, separated by commas, each user once"
        case .baseURL: "an https URL without a trailing slash"
        case .serverURL:
            "an https URL, or an http URL of this machine, without user, query and fragment"
        case .anyText: "a text"
        case .ledgerFile:
            "a file; a node of a fleet has one too, and 'fleet.database-file' besides "
                + "(docs/FLEET.md)"
        case .databaseFile:
            "a file that only its owner can read, with the database's address as its only line"
        case .node: "1 to 64 printable characters without spaces"
        case .ledgerName: "16 to 64 digits, 0 to 9 and a to f, as 'usher status' shows them"
        case .databaseUnreadable: "the file '{0}' with the database's address cannot be read"
        case .databaseExposed:
            "the file '{0}' with the database's address can be read by others than its owner; "
                + "set its mode to 0600"
        case .databaseLines:
            "the file '{0}' must have exactly one line: the database's address"
        case .databaseVariable: "{0} must have exactly one line: the database's address"
        case .twoDatabases: "'fleet.database-file' and {0} both name a database; keep one of them"
        case .withoutDatabases:
            "this program was built without the trait 'PostgreSQL', which a fleet's database "
                + "requires"
        }
    }
}
