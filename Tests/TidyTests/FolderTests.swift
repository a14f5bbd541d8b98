internal import TestSupport
internal import Testing

@Suite("Folders of the sources", .timeLimit(.minutes(20)))
struct FolderTests {
    @Test("have between two and twenty-five files")
    func sizes() {
        var files: [Substring: Int] = [:]
        for path in Repository.files(under: "Sources", suffix: ".swift") {
            let end = path.lastIndex(of: "/") ?? path.startIndex
            files[path[..<end], default: 0] += 1
        }
        #expect(!files.isEmpty)
        for (folder, count) in files {
            #expect((2...25).contains(count), "\(folder) has \(count) files")
        }
    }
}
