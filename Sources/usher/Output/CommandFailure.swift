internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import EvidenceVerification

/// Why a command did not do what it was asked for.
indirect enum CommandFailure: Error {
    case noService(socket: String)
    /// The same, for a command that could have read a ledger instead.
    case noServiceNorLedger(socket: String)
    /// It listens, and the call failed nevertheless.
    case connection(LocalClientError)
    case serviceRefused(
        code: String, field: String?, sentence: String, didYouMean: String? = nil)
    case unreadableAnswer
    case engine(EngineError)
    case sockets(SocketError)
    case unreadableFile(String)
    case unwritableFile(String)
    /// A part was handed in: interrupted where no cause is named.
    case stopped(after: Int, because: CommandFailure?)
    case unreadablePolicyFolder(String)
    case unreadableConfiguration(String)
    case badSetting(name: String, value: String)
    case unknownSetting(name: String, place: String)
    /// What only one command can say, in the reader's language already.
    case said(String)

    func sentence(_ language: Language) -> String {
        switch self {
        case .noService(let socket): Phrase.noService.text(language, socket)
        case .noServiceNorLedger(let socket): Phrase.noServiceNorLedger.text(language, socket)
        case .serviceRefused(let code, let field, let sentence, let nearest):
            Phrase.serviceRefused.text(
                language, code,
                (Self.known(code, language) ?? sentence) + (field.map { " ('\($0)')" } ?? ""))
                + Self.didYouMean(nearest, language)
        case .engine(.unknownEntitlement(let nearest)):
            Phrase.unknownEntitlement.text(language)
                + Self.didYouMean(nearest?.text, language)
        case .connection(let error): error.sentence(in: language.ofProblems)
        case .unreadableAnswer: Phrase.unreadableAnswer.text(language)
        case .engine(let error):
            Phrase.ledgerUnusable.text(
                language,
                language == .english ? error.sentences.english : error.sentences.chinese,
                error.code)
        case .sockets(let error): error.sentence(in: language.ofProblems)
        case .unreadableFile(let path): Phrase.fileUnreadable.text(language, path)
        case .unwritableFile(let path): Phrase.fileUnwritable.text(language, path)
        case .stopped(let count, let cause):
            [cause?.sentence(language), IngestPhrase.stopped.text(language, "\(count)")]
                .compactMap(\.self).joined(separator: "\n")
        case .unreadablePolicyFolder(let path):
            Phrase.policyFolderUnreadable.text(language, path)
        case .unreadableConfiguration(let path):
            Phrase.configurationUnreadable.text(language, path)
        case .said(let sentence): sentence
        case .unknownSetting(let name, let place):
            Phrase.unknownSetting.text(language, name, place)
        case .badSetting(let name, let value): Phrase.badSetting.text(language, name, value)
        }
    }
}

extension CommandFailure {
    /// 1 where the service said no to a deed, 2 where there is no answer (spec 3.2).
    var exitCode: ExitCode {
        guard case .serviceRefused(let code, _, _, _) = self,
            let family = code.split(separator: ".").first
        else { return .unanswered }
        return ["deed", "ruling", "merge", "policy"].contains(family) ? .no : .unanswered
    }

    private static func didYouMean(_ name: String?, _ language: Language) -> String {
        name.map { "\n" + Phrase.didYouMean.text(language, $0) } ?? ""
    }

    /// The service's sentence in the reader's language; the service was asked in none.
    private static func known(_ code: String, _ language: Language) -> String? {
        ProblemCode(rawValue: code).map { "\($0.sentence(in: language.ofProblems))" }
    }
}

extension Language {
    var ofEvidence: EvidenceLanguage { self == .chinese ? .chinese : .english }
    var ofProblems: ProblemLanguage { self == .chinese ? .chinese : .english }
}
