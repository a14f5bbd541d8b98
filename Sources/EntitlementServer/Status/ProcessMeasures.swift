internal import Glibc

/// What this process takes of the machine; nil where the kernel does not say.
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
