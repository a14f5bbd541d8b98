internal import Glibc

/// How many files this process may have open, and what of that is for connections.
package enum OpenFiles {
    /// What the ledger, the policies, the log and the event loops need.
    static let own = 48

    /// Raises our limit as far as we are let.
    ///
    /// - Returns: what it is then.
    package static func raiseLimit() -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        let most = min(limits.rlim_max, 65_536)
        if limits.rlim_cur < most {
            var raised = rlimit(rlim_cur: most, rlim_max: limits.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limits = raised
            }
        }
        return Int(clamping: limits.rlim_cur)
    }
}

extension ServerConfiguration {
    /// Connections at once, of each event loop, that get one answer: those of peers that are
    /// turned away need a place too, to read why.
    var briefConnections: Int { max(4, reservedConnections) }

    /// Takes no more connections than there can be files, half for each socket.
    ///
    /// - Returns: whether that is fewer than was asked for.
    package mutating func limitConnections(toFiles files: Int) -> Bool {
        let most = max(2, (files - OpenFiles.own) / 2)
        let wanted = connectionLimit + reservedConnections * queryLoops
        guard wanted > most else { return false }
        reservedConnections = min(reservedConnections, max(1, most / 8 / queryLoops))
        connectionLimit = most - reservedConnections * queryLoops
        return true
    }
}
