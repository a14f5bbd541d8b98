package import EntitlementEngine
package import EntitlementModel

/// Whole histories, page by page, from any `AppStoreServers`: each walk ends.
extension AppStoreServers {
    /// Hands on each page of the transaction history, the first or the one after a stored revision
    /// first, until there are no more.
    ///
    /// - Parameters:
    ///   - limit: the number of pages at most; there being more is `.badAnswer`, as is a revision
    ///     that comes a second time.
    ///   - take: returns false to stop.
    /// - Returns: the last revision, to go on with when something changed later.
    package func walkHistory(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String? = nil,
        limit: Int = CallLimits().pages,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) -> String {
        try await walk(from: revision, in: environment, limit: limit, take: take) {
            revision, environment throws(AppStoreFailure) in
            try await history(of: id, in: environment, after: revision)
        }
    }

    /// The same for the refund history.
    package func walkRefunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String? = nil,
        limit: Int = CallLimits().pages,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) -> String {
        try await walk(from: revision, in: environment, limit: limit, take: take) {
            revision, environment throws(AppStoreFailure) in
            try await refunds(of: id, in: environment, after: revision)
        }
    }

    private func walk(
        from revision: String?, in environment: StoreEnvironment?, limit: Int,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool,
        page: (String?, StoreEnvironment?) async throws(AppStoreFailure) -> FetchedHistory
    ) async throws(AppStoreFailure) -> String {
        var seen = Set([revision].compactMap(\.self))
        var (revision, environment) = (revision, environment)
        for _ in 0..<max(1, limit) {
            let found = try await page(revision, environment)
            // Where the first page is, the others are.
            environment = found.environment
            guard try await take(found), found.hasMore else { return found.revision }
            guard seen.insert(found.revision).inserted else { throw .init(.badAnswer) }
            revision = found.revision
        }
        throw .init(.badAnswer)
    }

    /// Hands on each page of the notification history between two instants, the end excluded. It
    /// ends as `walkHistory` does.
    package func walkNotifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        limit: Int = CallLimits().pages,
        take: (FetchedNotifications) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) {
        var seen: Set<String> = []
        var token: String?
        for _ in 0..<max(1, limit) {
            let page = try await notifications(
                in: environment, from: start, to: end, after: token)
            guard try await take(page), let next = page.nextToken else { return }
            guard seen.insert(next).inserted else { throw .init(.badAnswer) }
            token = next
        }
        throw .init(.badAnswer)
    }
}
