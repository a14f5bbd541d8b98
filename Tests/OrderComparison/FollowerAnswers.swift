internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementSpecification
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport

/// Where the other nodes of a fleet answer otherwise than the one that has judged.
func followerDifferences(of playback: OrderPlayback) async throws -> [Disagreement] {
    let (leader, questions) = (playback.shop.engine, playback.nodeQuestions)
    var found: [Disagreement] = []
    for follower in playback.shop.followers {
        let revision = leader.revision
        try await yieldUntil("a node has what was written", within: .seconds(60)) {
            follower.revision >= revision
        }
        for (question, ask) in questions {
            let (there, here) = (try ask(follower), try ask(leader))
            if there != here {
                found.append(Disagreement(question, derived: there, specified: here))
            }
        }
    }
    return found
}

private typealias Question = (String, (EntitlementEngine) throws -> String)

extension OrderPlayback {
    /// What every node is asked: of each account, each order and the ledger's end.
    fileprivate var nodeQuestions: [Question] {
        let end = shop.now
        let far = end.advanced(byMilliseconds: 400 * 86_400_000)
        var questions: [Question] = [("the revision on a node", { "\($0.revision)" })]
        for account in namedAccounts {
            questions.append(
                (
                    "answers about \(account) on a node",
                    { try $0.text(about: account, at: [end, far]) }
                ))
        }
        for order in specified.orders {
            questions.append(
                (
                    "answer about the order \(order.id) on a node",
                    { "\(String(describing: try $0.questions.order(order.id, at: end)))" }
                ))
        }
        return questions
    }

    private var namedAccounts: [AccountID] {
        var accounts = Set(facts.decisions.flatMap(\.value.ownersAfter))
        accounts.formUnion(facts.claims.map(\.value.account))
        accounts.formUnion(facts.accountMerges.flatMap { [$0.value.from, $0.value.into] })
        accounts.formUnion(specified.orders.map(\.lastAccount))
        return accounts.sorted()
    }
}

extension EntitlementEngine {
    /// Everything that the account may use and has, as callers read it.
    fileprivate func text(about account: AccountID, at instants: [Instant]) throws -> String {
        let (packed, revision) = try self.account(account)
        var writer = AnswerWriter()
        var balances: [String] = []
        for environment in [StoreEnvironment.production, .sandbox] {
            for instant in instants {
                for answer in packed.answers(in: environment, at: instant, revision: revision) {
                    writer.append(answer)
                }
                balances += packed.balances(in: environment, at: instant).map { "\($0)" }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + balances.joined(separator: ", ")
    }
}
