#if PostgreSQL
    internal import Foundation
    internal import Glibc

    /// Takes connections and never says anything, as a machine does that is about to be lost.
    struct SilentServer {
        enum Failure: Error { case noSocket }

        /// What an address names as its host.
        let folder: String
        private let descriptor: Int32

        init(in folder: String) throws {
            self.folder = folder
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = Array((folder + "/.s.PGSQL.5432").utf8)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length)
                }
            }
            guard isBound == 0, listen(descriptor, 16) == 0 else { throw Failure.noSocket }
        }

        /// How many have come since it was asked before.
        func countConnections() -> Int {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var count = 0
            while true {
                let accepted = accept(descriptor, nil, nil)
                if accepted < 0 { return count }
                Glibc.close(accepted)
                count += 1
            }
        }

        func close() { Glibc.close(descriptor) }
    }
#endif
