/// How many connections, and how many requests go into one write of each.
struct Cell {
    let connections: Int
    let pipeline: Int
}

/// What the command line says.
struct BenchOptions {
    private(set) var usher = ""
    private(set) var redis = ""
    private(set) var accounts = 10_000
    private(set) var passes = 5
    private(set) var seconds = 1.0
    private(set) var cells = [
        Cell(connections: 1, pipeline: 1), Cell(connections: 8, pipeline: 1),
        Cell(connections: 32, pipeline: 1), Cell(connections: 64, pipeline: 1),
        Cell(connections: 8, pipeline: 16),
    ]

    init(_ arguments: some Sequence<String>) throws(BenchFailure) {
        var iterator = arguments.makeIterator()
        while let name = iterator.next() {
            guard let value = iterator.next() else { throw .usage(name) }
            switch name {
            case "--usher": usher = value
            case "--redis": redis = value
            case "--accounts": accounts = try Self.number(value, of: name)
            case "--passes": passes = try Self.number(value, of: name)
            case "--milliseconds": seconds = Double(try Self.number(value, of: name)) / 1_000
            case "--cells": cells = try Self.cells(value)
            default: throw .usage(name)
            }
        }
        guard !usher.isEmpty, !redis.isEmpty else { throw .usage("--usher and --redis") }
    }

    private static func number(_ text: String, of name: String) throws(BenchFailure) -> Int {
        guard let number = Int(text), number > 0 else { throw .usage(name) }
        return number
    }

    /// `1,8,8x16`: connections, and the pipeline where there is one.
    private static func cells(_ text: String) throws(BenchFailure) -> [Cell] {
        var cells: [Cell] = []
        for part in text.split(separator: ",") {
            let numbers = part.split(separator: "x").map { Int($0) }
            guard let connections = numbers.first ?? nil, numbers.count <= 2,
                let pipeline = numbers.count == 2 ? numbers[1] : 1
            else { throw .usage("--cells") }
            cells.append(Cell(connections: connections, pipeline: pipeline))
        }
        return cells
    }
}

/// Why nothing was measured.
enum BenchFailure: Error, CustomStringConvertible {
    case usage(String)
    case connect(String)
    case closed(String)
    case wrongAnswer(String)
    case system(String, Int32)

    var description: String {
        switch self {
        case .usage(let name):
            """
            \(name)? usage: query-bench --usher SOCKET --redis SOCKET [--accounts N] \
            [--passes N] [--milliseconds N] [--cells 1,8,8x16]
            """
        case .connect(let path): "cannot connect to \(path)"
        case .closed(let name): "\(name) closed a connection"
        case .wrongAnswer(let name): "\(name) did not answer as it should"
        case .system(let call, let code): "\(call) failed (\(code))"
        }
    }
}
