package import Foundation

/// The checkout that the tests run in.
package enum Repository {
    package static let root: URL = {
        var folder = URL(filePath: #filePath)
        while !FileManager.default.fileExists(
            atPath: folder.appending(path: "Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Where a file of the checkout lies.
    package static func url(_ relative: String) -> URL { root.appending(path: relative) }

    /// The same, as a path.
    package static func path(_ relative: String) -> String { url(relative).path }
}
