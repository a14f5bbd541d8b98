internal import EntitlementEngine
internal import EntitlementModel
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
