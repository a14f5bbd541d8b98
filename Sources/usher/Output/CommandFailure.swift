internal import EntitlementEngine
internal import EntitlementServer
internal import StoreSimulator

/// Why a command could not do what it was asked for; exit code 2.
enum CommandFailure: Error {
    case noService(socket: String)
    case serviceRefused(code: String, sentence: String)
    case unreadableAnswer
    case engine(EngineError)
    case sockets(SocketError)
    case unreadableFile(String)
    case unwritableFile(String)
    case badLine(place: String)
    case unreadablePolicyFolder(String)
    case unreadableConfiguration(String)
    case badSetting(name: String, value: String)
    case unknownSetting(name: String, place: String)
    case unplayable([PlayMistake])

    func sentence(_ language: Language) -> String {
        switch self {
        case .noService(let socket): Phrase.noService.text(language, socket)
        case .serviceRefused(let code, let sentence):
            Phrase.serviceRefused.text(language, code, sentence)
        case .unreadableAnswer: Phrase.unreadableAnswer.text(language)
        case .engine(let error):
            Phrase.ledgerUnusable.text(
                language,
                language == .english ? error.sentences.english : error.sentences.chinese,
                error.code)
        case .sockets(let error): error.sentence(in: language == .chinese ? .chinese : .english)
        case .unreadableFile(let path): Phrase.fileUnreadable.text(language, path)
        case .unwritableFile(let path): Phrase.fileUnwritable.text(language, path)
        case .badLine(let place): Phrase.badLine.text(language, place)
        case .unreadablePolicyFolder(let path):
            Phrase.policyFolderUnreadable.text(language, path)
        case .unreadableConfiguration(let path):
            Phrase.configurationUnreadable.text(language, path)
        case .unplayable(let mistakes):
            mistakes.map { language == .english ? $0.sentences.english : $0.sentences.chinese }
                .joined(separator: "; ")
        case .unknownSetting(let name, let place):
            Phrase.unknownSetting.text(language, name, place)
        case .badSetting(let name, let value): Phrase.badSetting.text(language, name, value)
        }
    }
}
