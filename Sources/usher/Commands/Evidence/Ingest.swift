internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// `usher ingest FILE|FOLDER|- …`: hands evidence to the running service.
struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Submit evidence to the running service.",
        discussion: """
            A file contains one item of evidence or, if its name ends in .jsonl, JSON lines \
            {"account", "order", "moment", "imported", "environment", "verify", "payload" or "file"}. From a folder, files ending in \
            .jws, .json, .der or .base64 are read. An answer of the App Store Server API (a history, a \
            notification history, a transaction, statuses), saved as a file, is taken apart. The final report lists what was refused and \
            why, what was quarantined (genuine but impossible, recorded without effect), and which \
            claims were denied; with --json the last line is \
            {"summary": {"submitted", "accepted", "claims_denied", "quarantined", "refused"}}.

            Resume an interrupted run with --skip. Submitting the same evidence again is harmless.

            Stored answers of verifyReceipt are taken with --imported, or "imported": true on a \
            line, from an administrator: they carry no signature, and never override what has one. \
            Those of iOS 6 do not say their environment: --environment, or "environment" on a line, does.

            To import a history, give --ledger and --policies, and on each line "recorded_at", the \
            instant at which it first became known: not earlier than that of the previous line or \
            of the last entry in the ledger. Claims are evaluated as of that instant.

            Exit codes: 0 all accepted, 1 some not accepted, 2 failed or interrupted.

            Example: usher ingest purchases.jsonl
            """)

    @Argument(help: "Files, folders, or - for JSON lines on standard input.", completion: .file())
    var paths: [String]

    @Option(
        help: "The account that presents the evidence.",
        transform: { try readName($0) as AccountID })
    var account: AccountID?

    @Option(help: "The occasion on which the app presents it.")
    var moment: ClaimMoment?

    @Flag(help: "The files are stored answers of verifyReceipt.")
    var imported = false

    @Option(help: "The environment of stored answers that do not say it.")
    var environment: StoreEnvironment?

    @Option(help: .value("number", "Skip the first N items, submitted before."))
    var skip = 0

    @Option(
        help: .value("file", "Import into this ledger, which no service is using."),
        completion: .file())
    var ledger: String?

    @Option(help: .value("folder", "The policy for an import."), completion: .directory)
    var policies: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require(skip >= 0, or: .notNegative, "--skip")
        try require((ledger == nil) == (policies == nil), or: .together, "--ledger", "--policies")
    }

    func run() async throws {
        var isAllAccepted = false
        try await output.attempt { () async throws(CommandFailure) in
            let reader = try IngestReader(
                paths, account: account?.text, moment: moment?.rawValue, isImport: ledger != nil,
                isAnswers: imported, in: environment)
            let taker = try taker()
            var run = try IngestRun(reader, skipping: skip, to: taker, output: output)
            // Standard input may never come to an end; there Ctrl-C ends at once.
            if !paths.contains("-") {
                let notice = IngestPhrase.stopping.text(output.language) + "\n"
                Interruption.holdBack(saying: Terminal.current.progressEraser + notice)
            }
            defer { tell(run.report) }
            do throws(CommandFailure) {
                try await handIn(&run)
            } catch {
                try? taker.finish()
                throw error
            }
            try taker.finish()
            isAllAccepted = run.report.isAllAccepted
        }
        if !isAllAccepted { throw ExitCode.no }
    }

    /// The running service, or the ledger of an import.
    private func taker() throws(CommandFailure) -> any EvidenceReceiver {
        guard let ledger, let policies else {
            return ServiceEvidenceReceiver(call: ServiceCall(socket: sockets.usherSocket))
        }
        return try LedgerImport(ledger: ledger, policies: policies, language: output.language)
    }

    /// - Throws: `.stopped` where a part was handed in, with the number to go on from.
    private func handIn(_ run: inout IngestRun) async throws(CommandFailure) {
        do throws(CommandFailure) {
            if try await run.handIn(until: { Interruption.isPending }) { return }
        } catch {
            guard run.lastAcknowledged > skip else { throw error }
            throw .stopped(after: run.lastAcknowledged, because: error)
        }
        throw .stopped(after: run.lastAcknowledged, because: nil)
    }

    private func tell(_ report: IngestReport) {
        if output.json {
            let line: JSONValue = ["summary": report.counts]
            return Terminal.current.printLine(line.text.safeJSON)
        }
        guard report.pieces > 0 else { return }
        var page = Page(output.language)
        report.write(to: &page)
        Terminal.current.printText(page.text)
    }
}

extension ClaimMoment: ExpressibleByArgument {}

/// Hands pieces in, batch by batch, and keeps what is to be reported.
struct IngestRun {
    private let taker: any EvidenceReceiver
    let output: OutputOptions
    private var reader: IngestReader
    private(set) var report = IngestReport()
    private var progress: IngestProgress
    /// The last piece that was acknowledged; what comes after it is to be handed in again.
    private(set) var lastAcknowledged: Int

    init(
        _ reader: IngestReader, skipping number: Int, to taker: any EvidenceReceiver,
        output: OutputOptions
    ) throws(CommandFailure) {
        self.reader = reader
        self.taker = taker
        self.output = output
        lastAcknowledged = number
        try self.reader.skip(number)
        progress = IngestProgress(
            total: reader.totalBytes, skipped: self.reader.bytesRead, language: output.language)
    }

    /// Hands in everything, or until it is to stop; a batch under way is finished.
    ///
    /// - Returns: whether everything was handed in.
    mutating func handIn(
        until isToStop: () -> Bool
    ) async throws(CommandFailure) -> Bool {
        defer { progress.clear() }
        var batch = IngestBatch()
        while let piece = try reader.next() {
            if !batch.hasRoom(for: piece) {
                try await handIn(batch)
                batch = IngestBatch()
                if isToStop() { return false }
            }
            batch.append(piece)
        }
        try await handIn(batch)
        return true
    }

    private mutating func handIn(_ batch: IngestBatch) async throws(CommandFailure) {
        let items = batch.items
        var results = items.isEmpty ? [][...] : try await taker.handIn(items)[...]
        for piece in batch.pieces {
            switch piece {
            case .item(let item): try tell(results.removeFirst(), of: item.place)
            case .unreadable(let place, let refusal):
                try tell(refusal.result(output.language), of: place)
            }
        }
        lastAcknowledged += batch.pieces.count
        progress.show(report, bytes: reader.bytesRead)
    }

    private mutating func tell(
        _ result: IngestResult, of place: String
    ) throws(CommandFailure) {
        report.count(result, of: place, output.language)
        if output.json {
            let line: JSONValue = ["file": .string(place), "result": result.json]
            try Terminal.current.printWhole(json: line.text + "\n")
        }
    }
}

/// One piece of evidence to hand in.
struct IngestItem {
    /// Where it stands, for reports.
    var place: String
    var line: IngestLine
    /// Bytes of the payload.
    var size: Int
    /// When it was first known; told for imports only.
    var recordedAt: Instant?
}

/// A line of JSON lines, or an element of `POST /v1/evidence`. Names are texts: the service says
/// itself what is wrong with one.
struct IngestLine: WireObject {
    var payload: String?
    var account: String?
    var moment: String?
    var order: String?
    /// The payload is a stored answer of verifyReceipt.
    var imported: Bool?
    /// Of such an answer that says none.
    var environment: String?
    /// `remote`, where Apple is to be asked too.
    var verify: String?
    /// In lines, the file that holds the payload.
    var file: String?
    /// In lines of an import, when the piece was first known.
    var recordedAt: String?

    static var shapeName: String { "IngestLine" }

    static func members(
        _ visitor: inout some ShapeVisitor<Self>
    ) throws(ShapeError) -> IngestLine {
        IngestLine(
            payload: try visitor.optional("payload", \.payload),
            account: try visitor.optional("account", \.account),
            moment: try visitor.optional("moment", \.moment),
            order: try visitor.optional("order", \.order),
            imported: try visitor.optional("imported", \.imported),
            environment: try visitor.optional("environment", \.environment),
            verify: try visitor.optional("verify", \.verify),
            file: try visitor.optional("file", \.file),
            recordedAt: try visitor.optional("recorded_at", \.recordedAt))
    }
}

/// Pieces for one request, and what cannot be handed in between them: at most a hundred, and at most a
/// megabyte unless one alone is larger.
struct IngestBatch {
    private(set) var pieces: [IngestReader.Piece] = []
    private var size = 0

    var items: [IngestItem] { pieces.compactMap(\.item) }

    func hasRoom(for piece: IngestReader.Piece) -> Bool {
        guard pieces.count < 100 else { return false }
        guard let item = piece.item, size > 0 else { return true }
        return size + item.size <= 1 << 20
    }

    mutating func append(_ piece: IngestReader.Piece) {
        pieces.append(piece)
        size += piece.item?.size ?? 0
    }
}

/// Cuts items into batches.
struct IngestBatches: Sequence, IteratorProtocol {
    private var rest: ArraySlice<IngestItem>

    init(_ items: [IngestItem]) {
        rest = items[...]
    }

    mutating func next() -> [IngestItem]? {
        var batch = IngestBatch()
        while let item = rest.first, batch.hasRoom(for: .item(item)) {
            batch.append(.item(item))
            rest = rest.dropFirst()
        }
        return batch.pieces.isEmpty ? nil : batch.items
    }
}

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
