internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

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

/// Push subscriptions and undelivered changes (spec 1.10).
extension Endpoint {
    static let push = [
        Endpoint(
            "undeliveredChanges", .get, "/v1/changes/undelivered",
            "How the subscriptions stand, and the changes that were put aside. 'after' is 'next' of "
                + "the page before.",
            query: [.skip, .limit],
            isOfLeader: true,
            answers: [.json("As of now.", UndeliveredList.self)],
            work: .operation { call, service throws(Problem) in
                let skip = try call.query.number(.skip, in: 0...Int64.max) ?? 0
                let limit = try call.query.limit()
                guard let pusher = service.configuration.pusher else {
                    return ResponseDraft(UndeliveredList(subscriptions: [], changes: []))
                }
                var list: UndeliveredList
                do throws(EngineError) {
                    list = try await pusher.undelivered(of: nil, skip: skip, limit: limit)
                } catch {
                    throw Problem(error)
                }
                list.subscriptions = try await service.offLoop { () throws(Problem) in
                    service.status.standings(of: pusher, service.engine)
                }
                return ResponseDraft(list)
            }),
        Endpoint(
            "resendChanges", .post, "/v1/changes/undelivered/resend",
            "Has a change that was put aside, or all of a subscription, sent once more.",
            role: .admin, isPreviewable: true,
            body: .init(
                UndeliveredBody.self,
                example: ["subscription": "back-end", "number": 412, "reason": "mended"]),
            answers: [
                .json("They are sent as soon as may be.", ResendAnswer.self),
                .problem(404, "There is no such subscription, or it has not put that aside."),
            ],
            work: .operation { call, service throws(Problem) in
                let (body, pusher) = try undelivered(call, service)
                if call.intent.acts {
                    service.journal.note("changes sent again", by: call.caller, body.reason.text)
                }
                let count: Int64?
                do throws(EngineError) {
                    count = try await pusher.sendAgain(
                        body.number, of: body.subscription, meant: call.intent)
                } catch {
                    throw Problem(error)
                }
                guard let count else {
                    throw Problem(.unknownSubscription, field: "subscription")
                }
                return ResponseDraft(
                    ResendAnswer(subscription: body.subscription, changes: count))
            }),
        Endpoint(
            "discardChanges", .post, "/v1/changes/undelivered/discard",
            "Strikes a change that was put aside, or all of a subscription, off the list: nobody is "
                + "sent it any more.",
            role: .admin, isPreviewable: true,
            body: .init(
                UndeliveredBody.self,
                example: [
                    "subscription": "back-end", "number": 412, "reason": "settled by hand",
                ]),
            answers: [
                .json("They are gone from the list.", DiscardedChanges.self),
                .problem(404, "The subscription has not put that aside."),
            ],
            work: .operation { call, service throws(Problem) in
                let (body, pusher) = try undelivered(call, service)
                let discarded: DiscardedChanges?
                do throws(EngineError) {
                    discarded = try await pusher.discard(
                        body.number, of: body.subscription, call.cause(body.reason))
                } catch {
                    throw Problem(error)
                }
                guard let discarded else {
                    throw Problem(.unknownSubscription, field: "subscription")
                }
                if call.intent.acts {
                    service.journal.note("changes discarded", by: call.caller, body.reason.text)
                }
                return ResponseDraft(discarded)
            }),
    ]

    /// Which changes a call is about, and who sends them.
    private static func undelivered(
        _ call: OperationsCall, _ service: OperationsResponder
    ) throws(Problem) -> (body: UndeliveredBody, pusher: Pusher) {
        let body = try service.body(UndeliveredBody.self, of: call)
        guard body.number ?? 1 > 0 else { throw Problem(.value, field: "number") }
        guard let pusher = service.configuration.pusher else {
            throw Problem(.unknownSubscription, field: "subscription")
        }
        return (body, pusher)
    }
}
