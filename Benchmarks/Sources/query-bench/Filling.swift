/// Asks usher for every account once, and stores the answers, byte for byte, with the others: so
/// all send the same, and usher has derived each account.
struct Filling {
    private let usher: Party
    private let redis: Party?
    private let postgres: Party?
    private let accounts: Int
    /// How many questions are under way on each of how many connections.
    private static let (share, connections) = (64, 8)

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        usher = Party(.usher, socket: try arguments.text("usher"))
        redis = arguments.party(.redis)
        postgres = arguments.party(.postgres)
        accounts = try arguments.number("accounts")
    }

    func run() throws(BenchFailure) {
        var sources: [Socket] = []
        for _ in 0..<Self.connections { sources.append(try Socket(usher)) }
        let store = try AnswerStore(redis: redis, postgres: postgres)
        var asking = 0.0
        var bytes = 0
        for first in stride(from: 1, through: accounts, by: Self.share * Self.connections) {
            let numbers = first...min(first + Self.share * Self.connections - 1, accounts)
            var answers: [(account: Int, answer: [UInt8])] = []
            asking += try seconds { () throws(BenchFailure) in
                answers = try ask(sources, numbers)
            }
            bytes += answers.reduce(0) { $0 + $1.answer.count }
            try store.add(answers)
        }
        try store.finish()
        printNote(
            """
            \(accounts) accounts asked once, \(Self.connections) connections, in \
            \(BenchRow.tenths(asking)) s; an answer has \(bytes / accounts) bytes
            """)
    }

    /// Every connection gets its share before the first one is read.
    private func ask(
        _ sources: [Socket], _ numbers: ClosedRange<Int>
    ) throws(BenchFailure) -> [(account: Int, answer: [UInt8])] {
        let starts = stride(from: numbers.lowerBound, through: numbers.upperBound, by: Self.share)
        let shares = zip(sources, starts).map { source, start in
            (source, start...min(start + Self.share - 1, numbers.upperBound))
        }
        for (source, share) in shares {
            var questions: [UInt8] = []
            usher.append(share, to: &questions)
            try source.send(questions)
        }
        var answers: [(account: Int, answer: [UInt8])] = []
        var granted = 0
        for (source, share) in shares {
            let start = answers.count
            while answers.count < start + share.count {
                try source.receive { answer in
                    granted += answer.grants
                    answers.append((numbers.lowerBound + answers.count, Array(answer)))
                }
            }
        }
        guard granted == numbers.count else { throw .wrongAnswer(usher.name) }
        return answers
    }
}
