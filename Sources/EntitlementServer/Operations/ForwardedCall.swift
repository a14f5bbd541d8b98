internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import NIOCore
internal import StrictJSON
internal import Synchronization

/// A call that a node of a fleet forwards to the leader (docs/FLEET.md): seven lines, each a value
/// and a line feed, then the body.
///
/// Who calls, and with which role, is what the node has found that was called.
struct ForwardedCall {
    private static let lines = 7

    let call: OperationsCall

    init(_ call: OperationsCall) {
        self.call = call
    }

    /// As it is sent.
    var bytes: [UInt8] {
        let head = call.head
        let query = head.query.map { "?" + text($0) } ?? ""
        let values = [
            String(describing: head.method.name), text(head.path) + query,
            head.bodyKind == .json ? "json" : "other", call.language.rawValue,
            call.caller.passedOn,
            // Versions that know no user names ignore the third value.
            "\(call.caller.credentials.user) \(call.caller.credentials.group)"
                + (call.caller.name.map { " @\($0)" } ?? ""),
            // A key that is there and empty is not the same as none.
            call.idempotencyKey.map { "=" + $0 } ?? "",
        ]
        return Array((values.joined(separator: "\n") + "\n").utf8) + call.body
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: call.bytes[range], as: UTF8.self)
    }

    /// - Throws: `.malformed` for bytes that no node sends.
    init(reading bytes: [UInt8]) throws(Problem) {
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.lines, omittingEmptySubsequences: false)
        let values = parts.prefix(Self.lines).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == Self.lines + 1, let method = RequestHead.Method(named: values[0]),
            let language = Language(rawValue: values[3])
        else { throw Problem(.malformed) }
        let rights = values[4].split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        let person = rights.dropFirst().first
        guard let role = rights.first.flatMap(PeerRole.init(rawValue:)),
            person.map(CallerNames.isName) ?? true
        else { throw Problem(.malformed) }
        let user = values[5].split(separator: " ")
        let numbers = user.prefix(2).compactMap { UInt32($0) }
        guard numbers.count == 2 else { throw Problem(.malformed) }
        let target = values[1].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var head = RequestHead()
        head.method = method
        head.bodyKind = values[2] == "json" ? .json : .other
        var content = Array(target[0].utf8)
        head.path = 0..<content.count
        if target.count == 2 {
            let start = content.count
            content += target[1].utf8
            head.query = start..<content.count
        }
        let start = content.count
        content += parts[Self.lines]
        head.body = start..<content.count
        call = try OperationsCall(
            head, content, EndpointTable.match(head.path, in: content.span),
            from: Caller(
                credentials: PeerCredentials(user: numbers[0], group: numbers[1]),
                standing: .role(role),
                name: user.dropFirst(2).first.map { String($0.dropFirst()) }, person: person),
            language, key: values[6].hasPrefix("=") ? String(values[6].dropFirst()) : nil)
    }
}

extension Caller {
    /// The role, and for whom a delegate asks: a version that knows no delegates must not do it as
    /// the delegate's own.
    fileprivate var passedOn: String {
        switch standing {
        case .role(let role): role.rawValue + (person.map { " \($0)" } ?? "")
        case .delegate: preconditionFailure("a delegate says for whom it asks before it is heard")
        }
    }
}

extension OperationsCall {
    /// Whether it is done once, however often it is asked for.
    fileprivate var isKnownAgain: Bool {
        switch endpoint?.traffic {
        case .evidence, .notifications: true
        default: idempotencyKey != nil
        }
    }

    /// Whether the next leader may be asked what the one before has rejected so.
    fileprivate func isRepeatable(after rejection: ProblemCode?) -> Bool {
        rejection == .notLeader || rejection == .outcomeUnknown && isKnownAgain
    }
}

extension ResponseDraft {
    /// Why it was not done, if trying again may succeed.
    fileprivate var rejection: ProblemCode? {
        guard status == .serviceUnavailable, mediaType == .problem else { return nil }
        return (try? parseJSON(body))?["code"]?.string.flatMap(ProblemCode.init(rawValue:))
    }
}

/// The leader's answer: three lines, then the body.
struct ForwardedAnswer {
    private static let lines = 3

    let draft: ResponseDraft
    /// Of the node that leads, behind what it wrote.
    let revision: LedgerSequence

    init(_ draft: ResponseDraft, revision: LedgerSequence) {
        self.draft = draft
        self.revision = revision
    }

    var bytes: [UInt8] {
        let values = [
            "\(draft.status.rawValue)", draft.mediaType == .problem ? "problem" : "json",
            "\(revision)",
        ]
        return Array((values.joined(separator: "\n") + "\n").utf8) + draft.body
    }

    /// Nil for what no node answers.
    init?(reading bytes: [UInt8]) {
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.lines, omittingEmptySubsequences: false)
        let values = parts.prefix(Self.lines).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == Self.lines + 1, let number = Int(values[0]),
            let status = HTTPStatus(rawValue: number), let revision = Int64(values[2])
        else { return nil }
        var draft = ResponseDraft()
        draft.status = status
        draft.mediaType = values[1] == "problem" ? .problem : .json
        draft.body = Array(parts[Self.lines])
        self.init(draft, revision: LedgerSequence(revision))
    }
}

extension RequestHead.Method {
    fileprivate init?(named name: String) {
        let all: [Self] = [.get, .head, .post, .put, .patch, .delete, .options]
        guard let method = all.first(where: { String(describing: $0.name) == name }) else {
            return nil
        }
        self = method
    }
}

extension OperationsResponder {
    /// Has the node that leads do what adds to the ledger, and waits until this one has it too.
    ///
    /// If the lead changes meanwhile, the new leader is asked again: for calls that were not done,
    /// and calls that are idempotent.
    func forwardToLeader(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        var attempts = 3
        while true {
            attempts -= 1
            do throws(Problem) {
                let draft = try await passOnOnce(call)
                guard attempts > 0, call.isRepeatable(after: draft.rejection) else { return draft }
            } catch {
                let isRepeatable = error.code == .outcomeUnknown && call.isKnownAgain
                guard attempts > 0, isRepeatable else { throw error }
            }
        }
    }

    private func passOnOnce(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        try await call.presence?.expect()
        let passing = Task { [engine] () -> Result<[UInt8], EngineError> in
            do throws(EngineError) {
                return .success(try await engine.forwardToLeader(ForwardedCall(call).bytes))
            } catch {
                return .failure(error)
            }
        }
        let result =
            if let presence = call.presence {
                await presence.result(of: passing)
            } else {
                await passing.value
            }
        let bytes: [UInt8]
        do throws(EngineError) {
            bytes = try result.get()
        } catch {
            throw Problem(error)
        }
        guard let answer = ForwardedAnswer(reading: bytes) else { throw Problem(.fault) }
        await revisionTimeout.waited(for: answer.revision)
        return answer.draft
    }

    /// Answers a call that another node has forwarded.
    func answer(forwarded bytes: [UInt8]) async -> [UInt8] {
        var draft = ResponseDraft()
        var language = Language.english
        do throws(Problem) {
            let call = try ForwardedCall(reading: bytes).call
            language = call.language
            draft = try await answer(call, isForwarded: true)
        } catch {
            draft.reject(error, language: language)
        }
        return ForwardedAnswer(draft, revision: engine.revision).bytes
    }
}

/// Whether the caller of a connection is still there: nothing is begun for one that has gone, since
/// it may have repeated the call elsewhere.
final class CallerPresence: Sendable {
    private struct State {
        var hasGone = false
        /// Cancels the call in progress: a connection has one at a time.
        var cancel: (@Sendable () -> Void)?
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(on channel: any Channel) {
        self.channel = channel
        channel.closeFuture.whenComplete { [weak self] _ in
            let cancel = self?.state.withLock { state in
                state.hasGone = true
                return state.cancel
            }
            cancel?()
        }
    }

    /// Behind everything that the loop knows of the connection: a process that stood still hears of
    /// its end together with the request.
    func expect() async throws(Problem) {
        let isThere = try? await channel.eventLoop.submit { [channel] in channel.isActive }.get()
        guard isThere == true else { throw Problem(.timeout) }
    }

    /// The result of the task, which is cancelled if the caller goes.
    func result<Value>(of task: Task<Value, Never>) async -> Value {
        let hasGone = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasGone
        }
        if hasGone { task.cancel() }
        defer { state.withLock { $0.cancel = nil } }
        return await task.value
    }
}
