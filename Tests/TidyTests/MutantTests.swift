internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Mutants", .timeLimit(.minutes(20)))
struct MutantTests {
    @Test(
        "each break a text that stands exactly once in its file",
        arguments: ["derivation", "verification"])
    func textsOccurOnce(list: String) throws {
        let mutants = try Mutant.read("Tests/mutants/\(list).txt")
        #expect(mutants.count >= 50)
        #expect(Set(mutants.map(\.name)).count == mutants.count, "two have one name")
        for mutant in mutants {
            let exists = FileManager.default.fileExists(atPath: Repository.path(mutant.file))
            #expect(exists, "'\(mutant.name)' is in \(mutant.file)")
            guard exists else { continue }
            let count = try mutant.count(in: Repository.text(mutant.file))
            #expect(count == 1, "'\(mutant.name)' is \(count) times in \(mutant.file)")
            #expect(mutant.before != mutant.after, "'\(mutant.name)' breaks nothing")
        }
    }

    @Test("are read as apply.py reads them")
    func blocksAreRead() throws {
        let list = """
            == first
            file: A.swift
            <<<<
            one
              two
            ====

            >>>>

            == second == third
            file: B.swift
            <<<<
            a == b
            ====
            a != b
            >>>>
            """
        let mutants = try Mutant.read(text: list)
        #expect(mutants.map(\.name) == ["first", "second == third"])
        #expect(mutants.map(\.file) == ["A.swift", "B.swift"])
        #expect(mutants.map(\.before) == ["one\n  two", "a == b"])
        #expect(mutants.map(\.after) == ["", "a != b"])
        #expect(mutants.map { $0.count(in: "one\n  two\none\n  two a == b") } == [2, 1])
    }
}

/// One rule that is broken on purpose (Tests/mutants/apply.py).
private struct Mutant {
    let name: String
    let file: String
    let before: String
    let after: String

    static func read(_ path: String) throws -> [Mutant] {
        try read(text: Repository.text(path))
    }

    static func read(text: String) throws -> [Mutant] {
        try ("\n" + text).components(separatedBy: "\n== ").dropFirst().map(Mutant.init)
    }

    private init(block: String) throws {
        let (name, rest) = try Self.split(block, at: "\n")
        let (file, texts) = try Self.split(rest, at: "\n<<<<\n")
        let (before, tail) = try Self.split(texts, at: "\n====\n")
        self.name = name
        self.file = file.trimmingPrefix("file:").trimmingCharacters(in: .whitespaces)
        self.before = before
        after = try Self.split(tail, at: "\n>>>>").0
    }

    private static func split(_ text: String, at mark: String) throws -> (String, String) {
        let range = try #require(text.range(of: mark), "no '\(mark)' in: \(text)")
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }

    /// Those that do not overlap.
    func count(in source: String) -> Int {
        source.components(separatedBy: before).count - 1
    }
}
