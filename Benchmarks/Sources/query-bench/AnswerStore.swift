/// Redis and PostgreSQL, as far as they are there, while they are filled.
struct AnswerStore {
    private let redis: Socket?
    private let postgres: Socket?

    init(redis: Party?, postgres: Party?) throws(BenchFailure) {
        self.redis = try redis.map { party throws(BenchFailure) in try Socket(party) }
        self.postgres = try postgres.map { party throws(BenchFailure) in
            // The statement needs the table.
            try Socket(party, greetings: [PostgresMessage.startup])
        }
        try self.postgres?.ask(PostgresMessage.create, answers: 1) { _ in }
        try self.postgres?.send(PostgresMessage.beginCopy)
    }

    func add(_ answers: [(account: Int, answer: [UInt8])]) throws(BenchFailure) {
        if let redis {
            var commands: [UInt8] = []
            for (account, answer) in answers {
                let words = [Array("SET".utf8), Array(Party.account(account).utf8), answer]
                RESP.append(words, to: &commands)
            }
            try redis.ask(commands, answers: answers.count) { _ in }
        }
        if let postgres {
            var rows: [UInt8] = []
            for (account, answer) in answers {
                PostgresMessage.appendRow(account, answer, to: &rows)
            }
            try postgres.send(rows)
        }
    }

    func finish() throws(BenchFailure) {
        guard let postgres else { return }
        for message in [PostgresMessage.endCopy, PostgresMessage.index, PostgresMessage.settle] {
            try postgres.ask(message, answers: 1) { _ in }
        }
    }
}
