internal import CurlShim
internal import EntitlementEngine
internal import Glibc
internal import Synchronization

/// The transfers of one transport, on a thread of their own that ends when nothing was sent for a
/// minute. The one file that calls libcurl.
final class Transfers: Sendable {
    private struct State {
        /// Transfers to be started.
        var added: [Transfer] = []
        var hasThread = false
        /// The handle the thread waits on (`CURLM`); nil before it exists.
        var multi: Multi?
    }

    /// Unchecked: one thread uses it, except for `wakeup`, which libcurl allows on any thread.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer

        func wakeUp() { shim_multi_wakeup(handle) }
    }

    /// Milliseconds without a request after which all connections are closed.
    private static let idleTime: Int32 = 60_000
    /// Whether the system has libcurl.
    static let isAvailable = shim_open()

    private let roots: String?
    private let state = Mutex(State())

    init(roots: String?) {
        self.roots = roots
    }

    func start(_ transfer: Transfer) {
        let needsThread = state.withLock { state in
            state.added.append(transfer)
            state.multi?.wakeUp()
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard needsThread else { return }
        let hasThread = WorkerThread.start("usher-apple", priority: nil) { self.run() }
        if !hasThread { refuse(.unreachable) }
    }

    /// To be called when a transfer has been cancelled.
    func wakeUp() {
        // The thread forgets the handle under the same lock before it closes it.
        state.withLock { $0.multi?.wakeUp() }
    }

    private func run() {
        // Signals are for other threads, and SIGPIPE, which comes of writing to a TLS connection
        // that the other side has closed, is for none.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard Self.isAvailable, let multi = shim_multi_init().map({ Multi(handle: $0) })
        else { return refuse(.noLibrary) }
        state.withLock { $0.multi = multi }
        var calls: [UnsafeMutableRawPointer: Call] = [:]
        var isIdle = false
        while let added = take(orEnd: isIdle) {
            for transfer in added {
                guard let call = Call(transfer, roots) else {
                    transfer.end(.failure(.unreachable))
                    continue
                }
                guard shim_multi_add(multi.handle, call.easy) else {
                    call.end(.failure(.unreachable), in: multi.handle)
                    continue
                }
                calls[call.easy] = call
            }
            var (code, status) = (Int32(0), 0)
            while let easy = shim_multi_perform(multi.handle, &code, &status) {
                guard let call = calls.removeValue(forKey: easy) else { continue }
                call.end(call.transfer.result(code, status), in: multi.handle)
            }
            for call in calls.values where call.transfer.isCancelled {
                calls[call.easy] = nil
                call.end(.failure(.brokenOff), in: multi.handle)
            }
            isIdle = calls.isEmpty
            shim_multi_poll(multi.handle, Self.idleTime)
        }
        shim_multi_cleanup(multi.handle)
    }

    /// The added transfers; nil if there are none and the thread has been idle, which then ends.
    private func take(orEnd isIdle: Bool) -> [Transfer]? {
        state.withLock { state in
            defer { state.added = [] }
            guard isIdle, state.added.isEmpty else { return state.added }
            state = State()
            return nil
        }
    }

    private func refuse(_ failure: TransportFailure) {
        let refused = state.withLock { state in
            defer { state = State() }
            return state.added
        }
        for transfer in refused { transfer.end(.failure(failure)) }
    }
}

/// One transfer as libcurl has it (`CURL`).
private struct Call {
    /// Numbers of libcurl's interface (`CURLOPT_…`), which do not change.
    private enum Number: Int32 {
        case lowSpeedLimit = 19
        case lowSpeedTime = 20
        case sslVersion = 32
        case freshConnect = 74
        case httpVersion = 84
        case noSignal = 99
        case timeoutMs = 155
        case connectTimeoutMs = 156
        case protocols = 181
        case pathAsIs = 234
        case quickExit = 322
        case maxFileSizeLarge = 30_117
        case postFieldSizeLarge = 30_120
    }

    private enum Bytes: Int32 {
        case url = 10_002
        case proxy = 10_004
        case httpHeader = 10_023
        case customRequest = 10_036
        case caInfo = 10_065
        case copyPostFields = 10_165
        case unixSocketPath = 10_231
    }

    /// Seconds within which a connection has to be established, and then another byte to arrive.
    private static let silence = 10
    private static let (http, https, http11, tls12) = (1, 2, 2, 6)

    let transfer: Transfer
    let easy: UnsafeMutableRawPointer
    private var fields: UnsafeMutableRawPointer?
    /// Whether libcurl has taken all of it.
    private var isSet = true

    init?(_ transfer: Transfer, _ roots: String?) {
        guard let easy = shim_easy_init() else { return nil }
        (self.transfer, self.easy) = (transfer, easy)
        address(transfer.request, roots)
        limit(transfer.request)
        write(transfer.request)
        receive()
        guard isSet else {
            close()
            return nil
        }
    }

    func end(
        _ result: Result<TransportResponse, TransportFailure>, in multi: UnsafeMutableRawPointer
    ) {
        shim_multi_remove(multi, easy)
        close()
        transfer.end(result)
    }

    private func close() {
        shim_easy_cleanup(easy)
        shim_slist_free_all(fields)
    }

    private mutating func address(_ request: TransportRequest, _ roots: String?) {
        set(.url, request.url)
        set(.protocols, request.url.hasPrefix("https:") ? Self.https : Self.http)
        set(.httpVersion, Self.http11)
        set(.sslVersion, Self.tls12)
        set(.pathAsIs, 1)
        // Not that of the environment either.
        set(.proxy, "")
        if let socket = request.socket { set(.unixSocketPath, socket) }
        if let roots { set(.caInfo, roots) }
        // If a reused connection turns out to be closed, libcurl repeats the request.
        if !request.isRepeatable { set(.freshConnect, 1) }
    }

    private mutating func limit(_ request: TransportRequest) {
        set(.timeoutMs, Int(max(1, request.timeout)))
        set(.connectTimeoutMs, Self.silence * 1_000)
        set(.lowSpeedLimit, 1)
        set(.lowSpeedTime, Self.silence)
        set(.maxFileSizeLarge, request.answerLimit)
        set(.noSignal, 1)
        // Else the end of a transfer would wait for a name server. Unknown before 7.87.
        _ = shim_set_number(easy, Number.quickExit.rawValue, 1)
    }

    private mutating func write(_ request: TransportRequest) {
        set(.customRequest, request.method)
        if request.body != nil || request.method != "GET" {
            set(.postFieldSizeLarge, request.body?.count ?? 0)
            set(.copyPostFields, request.body ?? [])
        }
        // Without a value, a field of libcurl's own is left out.
        add("Expect", nil)
        add("Content-Type", request.body.map { _ in "application/json" })
        add("Accept", "application/json")
        add("User-Agent", "usher")
        if let authorization = request.authorization {
            add("Authorization", authorization.revealed)
        }
        for field in request.fields { add(field.name, field.value) }
        set(.httpHeader, fields)
    }

    private mutating func receive() {
        // The transfer lives as long as this call.
        let isTaken = shim_set_receivers(
            easy,
            { bytes, size, count, context in
                Call.hand(bytes, size * count, context) { $0.take(line: $1) }
            },
            { bytes, size, count, context in
                Call.hand(bytes, size * count, context) { $0.take(body: $1) }
            }, Unmanaged.passUnretained(transfer).toOpaque())
        isSet = isTaken && isSet
    }

    private static func hand(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        to take: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private mutating func set(_ option: Number, _ value: Int) {
        isSet = shim_set_number(easy, option.rawValue, value) && isSet
    }

    private mutating func set(_ option: Bytes, _ bytes: UnsafeRawPointer?) {
        isSet = shim_set_bytes(easy, option.rawValue, bytes) && isSet
    }

    private mutating func add(_ name: String, _ value: String?) {
        let line = value.map { "\(name): \($0)" } ?? "\(name):"
        // A line that ends early would be another field.
        let isLine = line.utf8.allSatisfy { $0 >= 0x20 }
        guard isLine, let longer = shim_slist_append(fields, line) else {
            isSet = false
            return
        }
        fields = longer
    }
}
