internal import EntitlementAnswers
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// Reads what `usher ingest` is given, piece by piece and always in the same order.
struct IngestReader {
    /// Something to hand in, or what cannot be.
    enum Piece {
        case item(IngestItem)
        case unreadable(place: String, refusal: IngestRefusal)

        var item: IngestItem? {
            guard case .item(let item) = self else { return nil }
            return item
        }
    }

    private let account: String?
    private let moment: String?
    private let isImport: Bool
    /// Whether files hold stored answers of verifyReceipt.
    private let isAnswers: Bool
    /// Of answers that say none.
    private let environment: StoreEnvironment?
    private var paths: ArraySlice<String>
    private var lines: (path: String, file: LineFile)?
    /// The rest of a page that was taken apart.
    private var taken: ArraySlice<Piece> = []
    private var finishedBytes = 0
    /// Pieces read so far.
    private(set) var count = 0
    /// Of all files; nil where there is standard input among them.
    let totalBytes: Int?

    /// - Parameters:
    ///   - isImport: every piece says when it was first known; else none may.
    ///   - isAnswers: whatever does not say otherwise is a stored answer of verifyReceipt.
    ///   - environment: of stored answers that say none, and whose line says none.
    /// - Throws: `.unreadableFile` for a file that is named and cannot be read, before anything
    ///   is handed in.
    init(
        _ paths: [String], account: String? = nil, moment: String? = nil,
        isImport: Bool = false, isAnswers: Bool = false, in environment: StoreEnvironment? = nil
    ) throws(CommandFailure) {
        self.account = account
        self.moment = moment
        self.isImport = isImport
        self.isAnswers = isAnswers
        self.environment = environment
        var files: [String] = []
        var total: Int? = 0
        for path in paths.flatMap(Self.files) {
            let size = InputFile.size(of: path)
            guard path == "-" || size != nil else { throw .unreadableFile(path) }
            total = total.flatMap { sum in size.map { sum + $0 } }
            files.append(path)
        }
        self.paths = files[...]
        totalBytes = total
    }

    /// How much of `totalBytes` has been read.
    var bytesRead: Int { finishedBytes + (lines?.file.bytesRead ?? 0) }

    /// The next piece; nil at the end.
    mutating func next() throws(CommandFailure) -> Piece? {
        while true {
            if let piece = taken.popFirst() {
                count += 1
                return piece
            }
            if let pieces = try nextLine() {
                taken = pieces[...]
                continue
            }
            guard let path = paths.popFirst() else { return nil }
            guard !Self.holdsLines(path) else {
                do {
                    lines = (path, try LineFile(path))
                } catch {
                    throw .unreadableFile(path)
                }
                continue
            }
            finishedBytes += InputFile.size(of: path) ?? 0
            taken = wholeFile(path)[...]
        }
    }

    /// Leaves pieces out: they were handed in before.
    mutating func skip(_ number: Int) throws(CommandFailure) {
        while count < number { guard try next() != nil else { return } }
    }

    /// The next line that says something; nil where no lines are being read, or no more.
    private mutating func nextLine() throws(CommandFailure) -> [Piece]? {
        guard let path = lines?.path, var file = lines?.file else { return nil }
        lines = nil
        do {
            while let line = try file.next() {
                guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else {
                    continue
                }
                lines = (path, file)
                return pieces(line, of: path, number: file.lineNumber)
            }
        } catch {
            throw .unreadableFile(path)
        }
        finishedBytes += file.bytesRead
        return nil
    }
}

extension IngestReader {
    private static func files(_ path: String) -> [String] {
        guard InputFile.isFolder(path) else { return [path] }
        return InputFile.files(in: path).filter(holdsEvidence)
    }

    /// Of a folder, the files that evidence is kept in by convention.
    private static func holdsEvidence(_ path: String) -> Bool {
        [".jws", ".json", ".der", ".base64"].contains { path.hasSuffix($0) }
    }

    private static func holdsLines(_ path: String) -> Bool {
        path == "-" || path.hasSuffix(".jsonl")
    }

    private func wholeFile(_ path: String) -> [Piece] {
        guard let payload = try? InputFile.read(path) else {
            return [.unreadable(place: path, refusal: .file)]
        }
        return items(path, payload, line: IngestLine())
    }

    private func pieces(_ line: [UInt8], of path: String, number: Int) -> [Piece] {
        let place = "\(path):\(number)"
        // A misspelt account would hand in a purchase for nobody.
        guard let json = try? parseJSON(line, limits: JSONLimits(bytes: line.count)),
            let line = try? IngestLine.readStrictly(json), !isImport || line.hasNames,
            let payload = payload(of: line, beside: path)
        else { return [.unreadable(place: place, refusal: .line)] }
        guard let bytes = payload() else {
            return [.unreadable(place: place, refusal: .file)]
        }
        return items(place, bytes, line: line)
    }

    /// A page of Apple's is not signed, but each piece in it is.
    private func items(_ place: String, _ payload: [UInt8], line: IngestLine) -> [Piece] {
        guard line.imported ?? isAnswers == false, let page = ApplePage(payload) else {
            return [item(place, payload, line: line)]
        }
        return page.pieces.enumerated().map { item("\(place)#\($0 + 1)", $1, line: line) }
    }

    /// How to come by the payload that a line gives or names; nil where it does neither, or both.
    private func payload(of line: IngestLine, beside path: String) -> (() -> [UInt8]?)? {
        switch (line.payload, line.file) {
        case (let payload?, nil): return { Array(payload.utf8) }
        case (nil, let file?):
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            return { try? InputFile.read(file.hasPrefix("/") ? file : folder + file) }
        default: return nil
        }
    }

    private func item(_ place: String, _ payload: [UInt8], line: IngestLine) -> Piece {
        let recordedAt = line.recordedAt.flatMap { Instant(rfc3339: $0) }
        guard (recordedAt != nil) == isImport, (line.recordedAt != nil) == isImport else {
            return .unreadable(place: place, refusal: isImport ? .recordedAt : .notImported)
        }
        let isAnswer = line.imported ?? isAnswers
        let handedIn = IngestLine(
            payload: Self.text(of: payload, isAnswer: isAnswer), account: line.account ?? account,
            moment: line.moment ?? moment, order: line.order, imported: isAnswer ? true : nil,
            environment: line.environment ?? (isAnswer ? environment?.rawValue : nil),
            verify: line.verify)
        return .item(
            IngestItem(
                place: place, line: handedIn, size: payload.count, recordedAt: recordedAt))
    }

    /// Text as it is, in lines or not, without the line end that editors add; other bytes (DER) as
    /// base64. Answers are JSON, which need not be ASCII.
    private static func text(of payload: [UInt8], isAnswer: Bool) -> String {
        if isAnswer, let text = String(validating: payload, as: UTF8.self) { return text }
        let trimmed = payload.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
        let isText = trimmed.allSatisfy {
            (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D
        }
        return isText
            ? String(decoding: trimmed, as: UTF8.self) : Base64.standard.encode(payload)
    }
}

extension IngestLine {
    /// Whether the names that it has are names. The service says so itself.
    fileprivate var hasNames: Bool {
        account.map { AccountID($0) != nil } ?? true && order.map { OrderID($0) != nil } ?? true
            && moment.map { ClaimMoment(rawValue: $0) != nil } ?? true
            && environment.map { StoreEnvironment(rawValue: $0) != nil } ?? true
    }
}
