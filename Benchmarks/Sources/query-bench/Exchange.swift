/// A conversation before the measurement: one connection, a pipeline of bounded length.
struct Exchange {
    private let party: Party
    private let socket: Socket

    init(_ party: Party) throws(BenchFailure) {
        self.party = party
        socket = try Socket(party)
    }

    /// What it answers for each account.
    func answers(to accounts: Int) throws(BenchFailure) -> [[UInt8]] {
        try exchange(Array(party.requests.prefix(accounts)))
    }

    /// Puts the answers into Redis, under the accounts' names.
    func store(_ answers: [[UInt8]]) throws(BenchFailure) {
        let commands = answers.enumerated().map { index, answer in
            RESP.command([Array("SET".utf8), Array(Party.account(index + 1).utf8), answer])
        }
        _ = try exchange(commands)
    }

    private func exchange(_ requests: [[UInt8]]) throws(BenchFailure) -> [[UInt8]] {
        var answers: [[UInt8]] = []
        answers.reserveCapacity(requests.count)
        let scanner = AnswerScanner(framing: party.framing)
        for start in stride(from: 0, to: requests.count, by: 64) {
            let chunk = requests[start..<min(start + 64, requests.count)]
            try Array(chunk.joined()).sending(to: socket)
            while answers.count < start + chunk.count {
                try socket.receive(scanner) { answers.append(Array($0)) }
            }
        }
        return answers
    }
}

extension [UInt8] {
    fileprivate func sending(to socket: Socket) throws(BenchFailure) {
        let result = withUnsafeBytes { bytes -> Result<Void, BenchFailure> in
            Result { () throws(BenchFailure) in try socket.send(bytes) }
        }
        try result.get()
    }
}
