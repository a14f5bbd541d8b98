internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Glibc
internal import PolicyStories

/// What a story's expectations ask a running service.
extension ServiceCall {
    func answer(
        _ question: ServedQuestion, into answers: inout ServedAnswers
    ) throws(CommandFailure) {
        switch question {
        case .report(let account, let instant, let environment):
            answers.reports.append(try report(on: account, at: instant, in: environment))
        case .preflight(let request):
            let answer: Answered<PreflightAnswer> = try Answered(
                received: ask("/v1/preflight", request))
            answers.preflight = answer.value.verdict
        case .findings(let kind): answers.findings += try findings(of: kind)
        case .order(let id):
            if let order = try order(id) { answers.orders.append(order) }
        case .orders(let account):
            let path = "/v1/accounts/\(account.inPath)/orders?limit=100"
            let list: Answered<OrderList> = try Answered(received: get(path))
            answers.orders += list.value.orders
        case .lostOrders: answers.lostOrders = try lostOrders()
        case .changes(let account): answers.changes = try changes(of: account)
        case .refundRequests: answers.refundRequests = try refundRequests()
        }
    }

    private func report(
        on account: AccountID, at instant: Instant?, in environment: StoreEnvironment?
    ) throws(CommandFailure) -> AccountReport {
        let query = [
            instant.map { "at=\($0.rfc3339)" }, environment.map { "environment=\($0.rawValue)" },
        ].compactMap(\.self)
        let path = "/v1/accounts/\(account.inPath)"
        let answer: Answered<AccountReport> = try Answered(
            received: get(query.isEmpty ? path : path + "?" + query.joined(separator: "&")))
        return answer.value
    }

    /// Nil for an order that the service does not know.
    private func order(_ id: OrderID) throws(CommandFailure) -> OrderAnswer? {
        do throws(CommandFailure) {
            let answer: Answered<OrderAnswer> = try Answered(
                received: get("/v1/orders/\(id.inPath)"))
            return answer.value
        } catch {
            guard case .serviceRejected(let code, _, _, _, _, _, _) = error,
                code == OrderRejection.unknown.code
            else { throw error }
            return nil
        }
    }

    // MARK: Pages

    private func findings(of kind: Finding.Kind) throws(CommandFailure) -> [Finding] {
        var (found, after): ([Finding], FindingPosition?) = ([], nil)
        let patience = Patience()
        while true {
            let rest = after.map { "&after=\(LocalClient.encoded($0.text))" } ?? ""
            let page: Answered<FindingPage> = try Answered(
                received: get("/v1/findings?kind=\(kind.rawValue)&limit=1000\(rest)"))
            if !page.value.isComplete, patience.waits() {
                (found, after) = ([], nil)
                continue
            }
            found += page.value.findings
            after = page.value.next
            if after == nil { return found }
        }
    }

    private func lostOrders() throws(CommandFailure) -> [LostOrder] {
        var (found, after): ([LostOrder], LedgerSequence?) = ([], nil)
        repeat {
            let rest = after.map { "&after_entry=\($0.number)" } ?? ""
            let page: Answered<LostOrderPage> = try Answered(
                received: get("/v1/orders/lost?limit=100\(rest)"))
            found += page.value.orders
            after = page.value.next
        } while after != nil
        return found
    }

    private func refundRequests() throws(CommandFailure) -> [RefundRequestAnswer] {
        var (found, after): ([RefundRequestAnswer], LedgerSequence?) = ([], nil)
        repeat {
            let rest = after.map { "&after_entry=\($0.number)" } ?? ""
            let page: Answered<RefundRequestList> = try Answered(
                received: get("/v1/refunds/requests?open=false&limit=100\(rest)"))
            found += page.value.requests
            after = page.value.next
        } while after != nil
        return found
    }

    /// All changes of an account, once everything that has happened is told.
    private func changes(of account: AccountID) throws(CommandFailure) -> [FeedChange] {
        var (found, after): ([FeedChange], FeedCursor?) = ([], nil)
        let patience = Patience()
        while true {
            let rest = after.map { "&after=\($0.text)" } ?? ""
            let page: Answered<ChangePage> = try Answered(
                received: get("/v1/changes?account=\(account.inPath)&limit=1000\(rest)"))
            found += page.value.changes.map(\.change)
            after = page.value.next
            guard page.value.isAtHead else { continue }
            if page.value.isCaughtUp || !patience.waits() { return found }
        }
    }
}

/// For how long a service is given time to look at all that it has got.
private struct Patience {
    private let deadline = ContinuousClock.now + .seconds(10)

    /// Whether there is time left, after a moment.
    func waits() -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        usleep(20_000)
        return true
    }
}
