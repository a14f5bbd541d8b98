internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import LedgerModel

/// Prometheus' text format, line by line.
struct MetricsText {
    private(set) var text = ""

    mutating func family(_ name: String, _ kind: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    mutating func sample(_ name: String, _ value: Int64) {
        text += "\(name) \(value)\n"
    }

    /// A family of one sample.
    mutating func single(_ name: String, _ kind: String, _ help: String, _ value: Int64) {
        family(name, kind, help)
        sample(name, value)
    }

    mutating func append(_ durations: CallDurations) {
        let name = "usher_call_seconds"
        family(name, "histogram", "How long calls of usher.sock took.")
        var count = 0
        for (bound, own) in zip(CallDurations.bounds, durations.counts) {
            count += own
            text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(durations.total)\n"
        text += "\(name)_sum \(Self.seconds(durations.sum.wholeMilliseconds))\n"
        text += "\(name)_count \(durations.total)\n"
    }

    mutating func append(_ condition: LedgerCondition) {
        single("usher_ledger_bytes", "gauge", "The ledger file.", condition.fileBytes)
        single("usher_ledger_log_bytes", "gauge", "Its write-ahead log.", condition.logBytes)
        single(
            "usher_ledger_waiting_writes", "gauge", "Writes that wait for a transaction.",
            Int64(condition.waitingWrites))
    }

    mutating func append(_ process: ProcessMeasures, startedAt: Instant) {
        if let bytes = process.residentBytes {
            single("process_resident_memory_bytes", "gauge", "Resident memory.", bytes)
        }
        if let files = process.openFiles {
            single("process_open_fds", "gauge", "Open file descriptors.", files)
        }
        if let milliseconds = process.processorMilliseconds {
            family("process_cpu_seconds_total", "counter", "Processor time.")
            text += "process_cpu_seconds_total \(Self.seconds(milliseconds))\n"
        }
        family("process_start_time_seconds", "gauge", "When it started, since 1970.")
        text += "process_start_time_seconds \(Self.seconds(startedAt.milliseconds))\n"
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(fraction)"
    }
}

/// Resources of this process; nil if the kernel does not say.
struct ProcessMeasures {
    let residentBytes: Int64?
    let openFiles: Int64?
    let processorMilliseconds: Int64?

    static var now: ProcessMeasures {
        ProcessMeasures(
            residentBytes: readResidentBytes(), openFiles: countOpenFiles(),
            processorMilliseconds: readProcessorTime())
    }

    /// The second number of statm is pages.
    private static func readResidentBytes() -> Int64? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let numbers = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        guard numbers.count > 1 else { return nil }
        return Int64(String(decoding: numbers[1], as: UTF8.self))
            .map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static func countOpenFiles() -> Int64? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count: Int64 = 0
        while readdir(folder) != nil { count += 1 }
        // The folder itself, and the two names that every folder has.
        return count - 3
    }

    private static func readProcessorTime() -> Int64? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// How long calls took, counted into a few spans: a histogram as Prometheus has it.
struct CallDurations: Sendable {
    /// The upper bounds in milliseconds; what took longer counts into none of them.
    static let bounds: [Int64] = [1, 5, 25, 100, 500, 2_500, 10_000]

    /// How many calls took no longer than each bound and longer than the one before.
    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var total = 0
    private(set) var sum = Duration.zero

    mutating func count(_ duration: Duration) {
        total += 1
        sum += duration
        let bound = Self.bounds.firstIndex { duration <= .milliseconds($0) }
        if let bound { counts[bound] += 1 }
    }
}
