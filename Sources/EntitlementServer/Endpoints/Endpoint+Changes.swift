internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// The change feed (spec 1.10).
extension Endpoint {
    static let changes = [
        Endpoint(
            "changes", .get, "/v1/changes",
            "The changes of the present answers, each once, in the order of their numbers. 'after' "
                + "is 'next' of the page before; 'wait' holds the answer until there is a change.",
            traffic: .following,
            query: [.afterChange, .wait, .account, .entitlement, .changeKind, .limit],
            answers: [
                .json("The next changes; none where there are none yet.", ChangePage.self),
                .problem(404, "No policy has ever defined this entitlement."),
                .problem(409, "The cursor is of another ledger, or ahead of the feed."),
            ],
            work: .operation { call, service throws(Problem) in
                let asked = try FeedParameters(call.head.query, in: call.bytes.span)
                return ResponseDraft(try await service.changes(asked))
            })
    ]
}

extension OperationsResponder {
    /// The next page, once it has a change or the time is over.
    func changes(_ asked: FeedParameters) async throws(Problem) -> ChangePage {
        let deadline = ContinuousClock.now + asked.wait
        var page = try await changePage(asked, after: asked.after)
        while page.changes.isEmpty {
            let rest = deadline - ContinuousClock.now
            // What a filter keeps back is looked at page by page.
            if page.isAtHead {
                guard rest > .zero, !engine.feedFollowers.hasEnded else { break }
                try await following.wait(behind: page.next.number, atMost: rest)
            } else if rest <= .zero {
                break
            }
            page = try await changePage(asked, after: page.next)
        }
        return page
    }

    private func changePage(
        _ asked: FeedParameters, after cursor: FeedCursor?
    ) async throws(Problem) -> ChangePage {
        let (questions, engine) = (engine.questions, engine)
        return try await offLoop { () throws(Problem) in
            do throws(EngineError) {
                return try questions.changes(
                    after: cursor, matching: asked.filter, limit: asked.limit, at: engine.now())
            } catch {
                throw Problem(error)
            }
        }
    }
}
