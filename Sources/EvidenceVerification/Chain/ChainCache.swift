internal import EntitlementModel
internal import Synchronization

/// Chains that were verified, by the SHA-256 of the very header that brought them.
///
/// It never widens trust: an entry is made only after a signature held under it, belongs to one
/// verifier with its roots, and is asked again whether it covers the time and the environment.
final class ChainCache: Sendable {
    private struct State {
        var chains: [Digest256: VerifiedChain] = [:]
        /// In the order of arrival; the oldest makes room.
        var order: [Digest256] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    func chain(for header: ArraySlice<UInt8>) -> VerifiedChain? {
        let key = sha256(header)
        return state.withLock { $0.chains[key] }
    }

    func insert(_ chain: VerifiedChain, for header: ArraySlice<UInt8>) {
        guard capacity > 0 else { return }
        let key = sha256(header)
        state.withLock { state in
            if state.chains.updateValue(chain, forKey: key) == nil { state.order.append(key) }
            if state.order.count > capacity {
                state.chains[state.order.removeFirst()] = nil
            }
        }
    }

    /// How many chains are remembered.
    var count: Int { state.withLock { $0.chains.count } }
}
