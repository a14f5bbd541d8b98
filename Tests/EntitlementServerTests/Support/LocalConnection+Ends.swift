internal import Glibc

@testable internal import EntitlementServer

extension LocalConnection {
    /// The next so many bytes, or those up to the end.
    func read(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let taken = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress?.advanced(by: done), count - done, 0)
            }
            guard taken > 0 else { break }
            done += taken
        }
        return Array(bytes[..<done])
    }

    /// What came until the service ended the connection, orderly or not.
    /// - Throws: `.timedOut` where the service has not ended it.
    func readToAnyEnd() throws(LocalClientError) -> [UInt8] {
        do {
            return try readToEnd()
        } catch .timedOut {
            throw .timedOut
        } catch {
            return []
        }
    }

    /// Writes without reading until the service gives up on us, then counts what it had sent.
    /// - Parameter bytes: more than both sides hold.
    /// - Throws: `.timedOut` where the service has not given up.
    func answerBytes(toUnread bytes: [UInt8]) throws(LocalClientError) -> Int {
        do {
            try write(bytes)
        } catch .timedOut {
            throw .timedOut
        } catch {
            // It has hung up, which is what we wait for.
        }
        return try readToAnyEnd().count
    }
}
