internal import EntitlementModel

/// What is said of repairs in English.
extension RepairPhrase {
    var english: String {
        switch self {
        case .choice: "a possible repair: {0}"
        case .oneRepair: "1 repair"
        case .repairs: "{0} repairs"
        case .lineEnds: "{0}: lines that end with CRLF or CR instead of LF: {1} of {2}"
        case .notWritten: "{0}; add --write to make them in the files"
        case .written: "{0} made in the files"
        case .nothing: "nothing here has exactly one possible repair; no file was changed"
        case .left: "what is left to you:"
        }
    }
}
