internal import EntitlementModel
internal import LedgerModel

/// The entries of the facts that something depends on: sequence numbers, unordered, perhaps twice.
///
/// Each question is a walk along one index. A single statement for all would keep temporary tables,
/// which cost more than the walks.
extension LedgerTransaction {
    /// The account's own entries, and those of the Apple IDs that it has an interest in. It is
    /// given by the numbers of all its spellings.
    ///
    /// - Parameter others: Clusters that it has an interest in for another reason.
    func places(ofAccounts accounts: [Int64], clusters others: Set<Int64>) throws -> [Int64] {
        var clusters = others
        for holder in try holders(before: accounts) {
            try connection.forEachRow(
                """
                SELECT cluster FROM interest CROSS JOIN lineage ON lineage.id = interest.lineage
                WHERE account = ?
                """, holder
            ) { clusters.insert(try $0.integer(0)) }
        }
        var found = try places(ofClusters: clusters, deniedTo: accounts)
        for account in accounts {
            try connection.forEachRow(
                "SELECT seq FROM entry_of_account WHERE account = ?", account
            ) { found.append(try $0.integer(0)) }
        }
        return found
    }

    /// The account, and all from which it has single purchases, directly or through others.
    private func holders(before accounts: [Int64]) throws -> Set<Int64> {
        var holders = Set(accounts)
        var unasked = accounts
        while let holder = unasked.popLast() {
            var predecessors: [Int64] = []
            try connection.forEachRow(
                "SELECT predecessor FROM succession WHERE account = ?", holder
            ) { predecessors.append(try $0.integer(0)) }
            for predecessor in predecessors where !holders.contains(predecessor) {
                let spellings = try names.spellings(ofNumber: predecessor)
                unasked += spellings.filter { holders.insert($0).inserted }
            }
        }
        return holders
    }

    func clusters(of lineages: [Int64]) throws -> Set<Int64> {
        var clusters: Set<Int64> = []
        for lineage in lineages {
            try connection.forEachRow("SELECT cluster FROM lineage WHERE id = ?", lineage) {
                clusters.insert(try $0.integer(0))
            }
        }
        return clusters
    }

    /// Of the lineages of which a transaction carries one of the tokens.
    func clusters(ofTokens tokens: [AppAccountToken]) throws -> Set<Int64> {
        var clusters: Set<Int64> = []
        for token in tokens {
            try connection.forEachRow(
                """
                SELECT cluster FROM lineage_of_token
                CROSS JOIN lineage ON lineage.id = lineage_of_token.lineage WHERE token = ?
                """, token.text
            ) { clusters.insert(try $0.integer(0)) }
        }
        return clusters
    }

    /// - Parameter claimants: of what a rule has denied, what it has denied to these; nil for all
    ///   of it.
    func places(
        ofClusters clusters: Set<Int64>, deniedTo claimants: [Int64]?
    ) throws -> [Int64] {
        var places = try denials(inClusters: clusters, to: claimants)
        for cluster in clusters { try addPlaces(of: cluster, claimedBy: 0, to: &places) }
        return places
    }

    /// The denials by rules.
    ///
    /// - Parameter claimants: to these; nil for all of it.
    func denials(inClusters clusters: Set<Int64>, to claimants: [Int64]?) throws -> [Int64] {
        var places: [Int64] = []
        for cluster in clusters {
            if let claimants {
                for claimant in claimants {
                    try addPlaces(of: cluster, claimedBy: claimant, to: &places)
                }
            } else {
                try connection.forEachRow(
                    """
                    SELECT seq FROM lineage
                    CROSS JOIN entry_of_lineage ON entry_of_lineage.lineage = lineage.id
                    WHERE cluster = ? AND claimant > 0
                    """, cluster
                ) { places.append(try $0.integer(0)) }
            }
        }
        return places
    }

    private func addPlaces(
        of cluster: Int64, claimedBy claimant: Int64, to places: inout [Int64]
    ) throws {
        try connection.forEachRow(
            """
            SELECT seq FROM lineage
            CROSS JOIN entry_of_lineage ON entry_of_lineage.lineage = lineage.id
            WHERE cluster = ? AND claimant = ?
            """, cluster, claimant
        ) { places.append(try $0.integer(0)) }
    }

    /// The entries of a transaction whose lineage is unknown.
    func addPlaces(ofUnplaced transaction: Int64, to places: inout [Int64]) throws {
        try connection.forEachRow(
            "SELECT seq FROM entry_without_lineage WHERE store_transaction = ?", transaction
        ) { places.append(try $0.integer(0)) }
    }
}
