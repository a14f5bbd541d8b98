internal import Foundation
internal import Testing

/// A terminal without a screen: what a program prints on it is read at the other end.
final class PseudoTerminal {
    private let control: Int32
    private let device: String

    init() throws {
        control = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(control >= 0)
        var isLocked: CInt = 0
        try #require(ioctl(control, Self.setLock, &isLocked) == 0)
        var number: CUnsignedInt = 0
        try #require(ioctl(control, Self.getNumber, &number) == 0)
        device = "/dev/pts/\(number)"
    }

    // The C library's functions for this are not imported; these are Linux's TIOCSPTLCK and
    // TIOCGPTN.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit { close(control) }

    /// Runs the program on it, and returns everything that it printed, errors too, and what was
    /// typed.
    func run(
        _ arguments: [String], environment: [String: String] = ["TERM": "xterm"],
        folder: String? = nil, typing typed: String = ""
    ) throws -> (status: Int32, text: String) {
        // It waits in the terminal until the program reads it.
        let bytes = Array(typed.utf8)
        try #require(write(control, bytes, bytes.count) == bytes.count)
        let process = try start(arguments, environment: environment, folder: folder)
        let text = readToEnd()
        return (process.waitUntilExit(), text)
    }

    private func start(
        _ arguments: [String], environment: [String: String], folder: String?
    ) throws -> ChildProcess {
        let descriptor = open(device, O_RDWR | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try ChildProcess(
            Program.path, arguments, environment: environment, folder: folder,
            streams: .init(input: descriptor, output: descriptor, errors: descriptor))
    }

    /// Until nobody holds the device open any more.
    private func readToEnd() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(control, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
