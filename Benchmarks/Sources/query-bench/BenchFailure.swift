/// Why nothing was measured.
enum BenchFailure: Error, CustomStringConvertible {
    case usage(String)
    case connect(String)
    case closed(String)
    case wrongAnswer(String)
    case command(String, Int32)
    case system(String, Int32)
    case late(String)

    var description: String {
        switch self {
        case .usage(let name): "'\(name)' is missing, unknown or not what it should be"
        case .connect(let path): "cannot connect to \(path)"
        case .closed(let name): "\(name) closed a connection"
        case .wrongAnswer(let name): "\(name) did not answer as it should"
        case .command(let name, let status): "\(name) ended with status \(status)"
        case .system(let call, let code): "\(call) failed (\(code))"
        case .late(let what): "\(what) did not happen in time"
        }
    }
}
