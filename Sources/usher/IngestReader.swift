internal import FoundationEssentials
internal import StrictJSON

/// Reads what `usher ingest` is given into items.
struct IngestReader {
    let account: String?
    let moment: String?

    func items(from paths: [String]) throws(CommandFailure) -> [IngestItem] {
        var items: [IngestItem] = []
        for path in paths {
            if path == "-" || path.hasSuffix(".jsonl") {
                items += try lines(of: path)
            } else if InputFile.isFolder(path) {
                for file in InputFile.files(in: path) where Self.holdsEvidence(file) {
                    items.append(try wholeFile(file))
                }
            } else {
                items.append(try wholeFile(path))
            }
        }
        return items
    }

    /// Of a folder, the files that evidence is kept in by convention.
    private static func holdsEvidence(_ path: String) -> Bool {
        [".jws", ".json", ".der", ".base64"].contains { path.hasSuffix($0) }
    }

    private func wholeFile(_ path: String) throws(CommandFailure) -> IngestItem {
        try item(place: path, payload: read(path), line: nil)
    }

    private func lines(of path: String) throws(CommandFailure) -> [IngestItem] {
        var items: [IngestItem] = []
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let lines = try read(path).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated()
        where line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
            let place = "\(path):\(index + 1)"
            guard let value = try? parseJSON(Array(line)), value.members != nil else {
                throw .badLine(place: place)
            }
            if let payload = value["payload"]?.string {
                items.append(item(place: place, payload: Array(payload.utf8), line: value))
            } else if let file = value["file"]?.string {
                let path = file.hasPrefix("/") ? file : folder + file
                items.append(item(place: place, payload: try read(path), line: value))
            } else {
                throw .badLine(place: place)
            }
        }
        return items
    }

    private func item(place: String, payload: [UInt8], line: JSONValue?) -> IngestItem {
        var members = [JSONMember("payload", .string(Self.text(of: payload)))]
        for (key, value) in [("account", account), ("moment", moment), ("order", nil)] {
            if let value = line?[key]?.string ?? value {
                members.append(JSONMember(key, .string(value)))
            }
        }
        return IngestItem(place: place, body: .object(members), size: payload.count)
    }

    /// Text as it is, without the line end that editors add; other bytes (DER) as base64.
    private static func text(of payload: [UInt8]) -> String {
        let trimmed = payload.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
        let isText = trimmed.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
        return isText
            ? String(decoding: trimmed, as: UTF8.self) : Data(payload).base64EncodedString()
    }

    private func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do {
            return try InputFile.read(path)
        } catch {
            throw .unreadableFile(path)
        }
    }
}
