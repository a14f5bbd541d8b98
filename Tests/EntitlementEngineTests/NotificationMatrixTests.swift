internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Notifications of every type and subtype", .timeLimit(.minutes(20)))
struct NotificationMatrixTests {
    private static let unknown = [
        NotificationKind("SOMETHING_NEW"), NotificationKind("DID_RENEW", "ON_THE_MOON"),
    ]

    @Test(
        "are signed, kept once, and change no right by themselves",
        arguments: NotificationKind.documented + unknown)
    func kinds(kind: NotificationKind) async throws {
        let shop = try await Shop()
        let unlock = try shop.purchase("unlock", .nonConsumable, id: "2")
        try await shop.present(unlock, as: "alice")
        var notification = SimulatedNotification(
            type: kind.type, subtype: kind.subtype,
            uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20", bundleID: "com.example.shop",
            appAppleID: 77, signedDate: shop.clock.now())
        notification.subject = kind.subject
        if kind.subject == .data { notification.transaction = unlock }
        let head = shop.engine.revision.number
        let report = try #require(
            try await shop.present(shop.store.sign(notification.payload), as: nil).judged)
        #expect(report.kind == .notification)
        #expect(report.quarantined.isEmpty)
        #expect(shop.engine.revision.number == head + 2, "the evidence and the notification")
        try await shop.present(shop.store.sign(notification.payload), as: nil)
        #expect(shop.engine.revision.number == head + 2)
        #expect(try shop.answer("alice", "forever").decision)
    }

    @Test("the table names each of Apple's kinds once")
    func table() {
        let kinds = NotificationKind.documented
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.type)).count == 24)
        #expect(Set(kinds.compactMap(\.subtype)).count == 20)
    }
}
