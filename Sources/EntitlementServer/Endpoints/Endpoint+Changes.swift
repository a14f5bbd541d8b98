internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// The change feed (spec 1.10).
extension Endpoint {
    static let changes = [
        Endpoint(
            "changes", .get, "/v1/changes",
            "The changes of the present answer, each once, in the order of their numbers. 'after' "
                + "is 'next' of the page before, or the cursor of a change; 'wait' holds the answer "
                + "until there is one. 'Accept: text/event-stream' gets a stream of them.",
            traffic: .following,
            query: [.afterChange, .wait, .account, .entitlement, .changeKind, .limit],
            answers: [
                Answer(
                    status: 200, summary: "The next changes; none where there are none yet.",
                    isStreamed: true
                ) { ChangePage.schema(in: &$0) },
                .problem(404, "No policy has ever defined this entitlement."),
                .problem(409, "The cursor is of another ledger, or ahead of the feed."),
            ],
            work: .operation { call, service throws(Problem) in
                var asked = try FeedParameters(call.query)
                guard call.wantsEvents else {
                    return ResponseDraft(try await service.changes(asked))
                }
                // The last event received counts, not the cursor that the stream once began at.
                if let last = call.lastEventID {
                    asked.after = try FeedParameters.cursor(last, field: "Last-Event-ID")
                }
                let first = try await service.changePage(
                    asked, after: asked.after, limit: asked.limit)
                var draft = ResponseDraft()
                draft.mediaType = .events
                draft.stream = try FeedStream(asked, from: first, of: service)
                return draft
            })
    ]
}

extension OperationsResponder {
    /// The next page, once it has a change or the time is over.
    func changes(_ asked: FeedParameters) async throws(Problem) -> ChangePage {
        let broadcast = status.broadcast
        let deadline = ContinuousClock.now + asked.wait
        var page = try await changePage(asked, after: asked.after, limit: asked.limit)
        while page.changes.isEmpty {
            let rest = deadline - ContinuousClock.now
            guard rest > .zero, !broadcast.hasEnded else { break }
            if page.isAtHead {
                try await broadcast.wait(behind: page.next.number, atMost: rest)
                // Changes that the filter omits need no read of the ledger.
                page.skip(
                    broadcast.events(
                        after: page.next.number, matching: asked.filter, atMost: 1))
                if page.isAtHead { continue }
            }
            page = try await changePage(asked, after: page.next, limit: asked.limit)
        }
        return page
    }

    func changePage(
        _ asked: FeedParameters, after cursor: FeedCursor?, limit: Int
    ) async throws(Problem) -> ChangePage {
        let (questions, engine) = (engine.questions, engine)
        return try await offLoop { () throws(Problem) in
            do throws(EngineError) {
                return try questions.changes(
                    after: cursor, matching: asked.filter, limit: limit, at: engine.now())
            } catch {
                throw Problem(error)
            }
        }
    }
}

extension ChangePage {
    /// Moves an empty page past changes that the filter omits; nil if the ledger has to be read.
    fileprivate mutating func skip(_ events: FeedBroadcast.Portion?) {
        guard let events, events.count == 0 else {
            isAtHead = false
            return
        }
        next = FeedCursor(ledger: next.ledger, number: max(next.number, events.last))
        head = max(head, next.number)
    }
}
