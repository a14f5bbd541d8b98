internal import Testing

@testable internal import EntitlementServer

@Suite("Peers", .timeLimit(.minutes(20)))
struct PeerAccessTests {
    private static let own = PeerCredentials(user: 500, group: 500)
    private static let root = PeerCredentials(user: 0, group: 0)
    private static let other = PeerCredentials(user: 700, group: 701)

    @Test(
        "without an allow-list",
        arguments: [
            (own, PeerAccess.Socket.query, PeerRole?.some(.admin)),
            (own, .operations, .admin),
            (root, .query, .admin),
            (root, .operations, .admin),
            (other, .query, .query),
            (other, .operations, nil),
        ])
    func open(peer: PeerCredentials, socket: PeerAccess.Socket, role: PeerRole?) {
        let access = PeerAccess(entries: nil, owner: 500)
        #expect(access.role(of: peer, on: socket) == role)
    }

    @Test("on an allow-list have the highest role of their user and their group")
    func listed() {
        let access = PeerAccess(
            entries: [
                PeerAccess.Entry(.user(700), .query), PeerAccess.Entry(.group(701), .ingest),
                PeerAccess.Entry(.user(500), .admin),
            ], owner: 500)
        #expect(access.role(of: Self.other, on: .operations) == .ingest)
        #expect(access.role(of: Self.own, on: .query) == .admin)
        #expect(access.role(of: Self.root, on: .query) == nil)
    }

    @Test("have roles that include one another")
    func order() {
        #expect(PeerRole.allCases.sorted() == [.query, .ingest, .admin])
    }

    @Test(
        "is written as users and groups with a role, and as nothing else",
        arguments: [
            ("uid:0=admin", PeerAccess.Entry(.user(0), .admin)),
            (" gid:33 = query ", PeerAccess.Entry(.group(33), .query)),
            ("uid:7=ingest", PeerAccess.Entry(.user(7), .ingest)),
            ("uid:7", nil), ("uid:7=root", nil), ("uid:-1=admin", nil), ("pid:7=admin", nil),
            ("uid:=admin", nil), ("", nil), ("uid:7=admin=admin", nil), ("7=admin", nil),
        ] as [(String, PeerAccess.Entry?)])
    func written(text: String, entry: PeerAccess.Entry?) {
        #expect(PeerAccess.Entry(text) == entry)
    }
}
