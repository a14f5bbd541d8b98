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
        #expect(access.standing(of: peer, on: socket) == role.map { .role($0) })
    }

    @Test("on an allow-list have the highest role of their user and their group")
    func listed() {
        let access = PeerAccess(
            entries: [
                PeerAccess.Entry(.user(700), .query), PeerAccess.Entry(.group(701), .ingest),
                PeerAccess.Entry(.user(500), .admin),
            ], owner: 500)
        #expect(access.standing(of: Self.other, on: .operations) == .role(.ingest))
        #expect(access.standing(of: Self.own, on: .query) == .role(.admin))
        #expect(access.standing(of: Self.root, on: .query) == nil)
    }

    @Test("are delegates where one entry says so, whatever others say, and may ask on query.sock")
    func delegates() {
        let delegate = PeerAccess.Entry(.user(700), PeerStanding.delegate)
        let group = PeerAccess.Entry(.group(701), .admin)
        for entries in [[delegate], [delegate, group], [group, delegate]] {
            let access = PeerAccess(entries: entries, owner: 500)
            #expect(access.standing(of: Self.other, on: .operations) == .delegate)
            #expect(access.standing(of: Self.other, on: .query) == .role(.query))
            #expect(access.standing(of: Self.root, on: .operations) == nil)
        }
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
            ("uid:7=delegate", PeerAccess.Entry(.user(7), PeerStanding.delegate)),
            ("gid:7 = delegate", PeerAccess.Entry(.group(7), PeerStanding.delegate)),
            ("uid:7=Delegate", nil), ("delegate", nil),
            ("uid:7", nil), ("uid:7=root", nil), ("uid:-1=admin", nil), ("pid:7=admin", nil),
            ("uid:=admin", nil), ("", nil), ("uid:7=admin=admin", nil), ("7=admin", nil),
        ] as [(String, PeerAccess.Entry?)])
    func written(text: String, entry: PeerAccess.Entry?) {
        #expect(PeerAccess.Entry(text) == entry)
    }
}
