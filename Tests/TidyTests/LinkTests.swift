internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Links between documents", .timeLimit(.minutes(20)))
struct LinkTests {
    @Test("every relative link leads to a file and, where it names one, to a heading in it")
    func linksResolve() throws {
        var count = 0
        for document in Self.documents {
            for link in try Self.links(in: document) {
                count += 1
                let parts = link.split(
                    separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target = Self.path(String(parts[0]), from: document)
                let exists = FileManager.default.fileExists(atPath: Repository.path(target))
                #expect(exists, "\(document) links to \(link)")
                guard exists, parts.count > 1 else { continue }
                let anchors = try Self.anchors(in: target)
                #expect(anchors.contains(String(parts[1])), "\(document) links to \(link)")
            }
        }
        #expect(count >= 40)
    }

    @Test("a heading has the anchor that GitHub gives it")
    func anchorsAreGitHubs() {
        let heading = "## 1.6 From claims to owners: `account_switch`, and more"
        let anchor = "16-from-claims-to-owners-account_switch-and-more"
        #expect(Self.anchor(of: heading) == anchor)
        #expect(Self.anchor(of: "#!/bin/sh") == nil)
    }
}

/// Reading of Markdown.
extension LinkTests {
    private static let documents =
        Repository.files(under: "docs", suffix: ".md")
        + Repository.files(under: "", suffix: ".md")
        .filter { ["README.md", "CONTRIBUTING.md", "SECURITY.md"].contains($0) }

    /// Without what is shown as code between fences.
    private static func prose(of path: String) throws -> [String] {
        var isCode = false
        return try Repository.lines(path).filter { line in
            guard line.hasPrefix("```") else { return !isCode }
            isCode.toggle()
            return false
        }
    }

    /// The targets of all links that are no addresses.
    private static func links(in path: String) throws -> [String] {
        try prose(of: path).flatMap { line in
            line.components(separatedBy: "](").dropFirst().compactMap { rest in
                let target = String(rest.prefix { $0 != ")" })
                return target.contains("://") || target.contains(" ") ? nil : target
            }
        }
    }

    /// Relative to the checkout; a link without a path leads to its own document.
    private static func path(_ link: String, from document: String) -> String {
        guard !link.isEmpty else { return document }
        var parts = document.split(separator: "/").dropLast()
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    private static func anchors(in path: String) throws -> Set<String> {
        try Set(prose(of: path).compactMap(anchor))
    }

    /// Letters and digits in lower case, hyphens for spaces, and nothing else; nil for a line that
    /// is no heading.
    private static func anchor(of line: String) -> String? {
        let text = line.drop { $0 == "#" }
        guard text.count < line.count, text.first == " " else { return nil }
        let kept = text.dropFirst().lowercased().compactMap { character -> Character? in
            if character == " " { return "-" }
            let isKept = character.isLetter || character.isNumber || "-_".contains(character)
            return isKept ? character : nil
        }
        return String(kept)
    }
}
