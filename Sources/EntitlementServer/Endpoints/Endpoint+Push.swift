internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

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
            role: .admin,
            body: .init(
                UndeliveredBody.self,
                example: ["subscription": "back-end", "number": 412, "reason": "mended"]),
            answers: [
                .json("They are sent as soon as may be.", ResendAnswer.self),
                .problem(404, "There is no such subscription, or it has not put that aside."),
            ],
            work: .operation { call, service throws(Problem) in
                let (body, pusher) = try undelivered(call, service)
                service.journal.note("changes sent again", by: call.caller, body.reason.text)
                let count: Int64?
                do throws(EngineError) {
                    count = try await pusher.sendAgain(body.number, of: body.subscription)
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
            role: .admin,
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
                        body.number, of: body.subscription, by: call.caller.actor,
                        because: body.reason.text)
                } catch {
                    throw Problem(error)
                }
                guard let discarded else {
                    throw Problem(.unknownSubscription, field: "subscription")
                }
                service.journal.note("changes discarded", by: call.caller, body.reason.text)
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
