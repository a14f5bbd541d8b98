internal import Synchronization
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Salts", .timeLimit(.minutes(20)))
struct SaltSupplyTests {
    @Test("each is sixteen bytes that no other had, and the source is asked once for several")
    func each() {
        let draws = Mutex<UInt8>(0)
        let supply = SaltSupply {
            let first = draws.withLock { draws in
                defer { draws += 1 }
                return draws * 48
            }
            return Array(first..<first + 48)
        }
        let salts = (0..<5).map { _ in withUnsafeBytes(of: supply.next()) { Array($0) } }
        let expected: [[UInt8]] = (0..<5).map { (number: UInt8) in
            Array(16 * number..<16 * number + 16)
        }
        #expect(salts == expected)
        #expect(draws.withLock { $0 } == 2)
    }
}
