internal import Synchronization

/// How much evidence is being verified at once: in bytes of it, since what a verification takes
/// grows with what is verified, and nobody has vouched for that yet (THREATS.md H28); and by how
/// many, so that whatever else comes finds a thread once the next of them is through.
///
/// Who finds no room waits for it, in the order of coming; how many can wait is bounded by the
/// calls that are worked on at once.
final class EvidenceMemory: Sendable {
    fileprivate struct State {
        var bytes = 0
        var working = 0
        var waiting: [Waiting] = []
    }

    fileprivate struct Waiting {
        let bytes: Int
        let goesOn: CheckedContinuation<Void, Never>
    }

    private let limit: Int
    private let processors: Int
    private let state = Mutex(State())

    init(bytes limit: Int, processors: Int) {
        self.limit = limit
        self.processors = processors
    }

    /// Whether a processor is free for more.
    var hasTime: Bool {
        state.withLock { $0.working < processors && $0.waiting.isEmpty }
    }

    /// Runs what verifies so many bytes, once there is room for them. What is larger than all the
    /// room runs alone.
    func verify<Result: Sendable>(_ bytes: Int, _ work: () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                guard state.waiting.isEmpty, hasRoom(for: bytes, in: state) else {
                    state.waiting.append(Waiting(bytes: bytes, goesOn: continuation))
                    return false
                }
                state.begin(bytes)
                return true
            }
            if goesOn { continuation.resume() }
        }
        defer { leave(bytes) }
        return work()
    }

    private func leave(_ bytes: Int) {
        let next = state.withLock { state in
            state.bytes -= bytes
            state.working -= 1
            var next: [Waiting] = []
            while let first = state.waiting.first, hasRoom(for: first.bytes, in: state) {
                state.begin(first.bytes)
                next.append(state.waiting.removeFirst())
            }
            return next
        }
        for waiting in next { waiting.goesOn.resume() }
    }

    private func hasRoom(for bytes: Int, in state: State) -> Bool {
        state.working == 0 || state.working < processors && state.bytes + bytes <= limit
    }
}

extension EvidenceMemory.State {
    fileprivate mutating func begin(_ bytes: Int) {
        self.bytes += bytes
        working += 1
    }
}
