internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// What `policy check` says beside the texts: of a ledger, of other files, of defaults, and of
/// warnings that are expected.
@Suite("The check of a policy", .timeLimit(.minutes(20)))
struct PolicyCheckCommandTests {
    private func diagnostics(_ arguments: [String]) throws -> (Int32, [JSONValue]) {
        let run = try Program.run(["policy", "check"] + arguments + ["--json", "--lang", "en"])
        let report = try parseJSON(Array(run.output.utf8))
        return (run.status, try #require(report["diagnostics"]?.elements))
    }

    @Test("names products of the ledger that the catalogue lacks")
    func unmappedProducts() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        for (id, product) in ["unlock", "gone", "gone"].enumerated() {
            let payload = try shop.purchase(product, .nonConsumable, id: id + 1)
            let body = shop.body(payload, account: "alice")
            #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
        }
        #expect(service.stop() == 0)
        let (status, found) = try diagnostics([
            shop.policies, "--ledger", shop.folder.path + "/ledger",
        ])
        #expect(status == 0)
        #expect(found.compactMap { $0["id"]?.string } == ["unmapped-product"])
        #expect(found.first?["message"]?.string?.contains("'gone'") == true)
        #expect(try diagnostics([shop.policies]).1.isEmpty)
    }

    @Test("explains defaults on demand; notes fail nothing, and files that are not read are named")
    func notes() throws {
        let shop = try SimulatedShop()
        let (status, found) = try diagnostics([
            shop.policies, "--explain-defaults", "--strict",
        ])
        #expect(status == 0)
        #expect(Set(found.compactMap { $0["severity"]?.string }) == ["note"])
        let active = found.first { $0["example"]?["state"]?.string == "active" }
        #expect(active?["example"]?["product"]?.string == "unlock")
        try shop.folder.write("x", to: "policies/rules.yaml.orig")
        let strict = try diagnostics([shop.policies, "--strict"])
        #expect(strict.0 == 1)
        #expect(strict.1.compactMap { $0["id"]?.string } == ["file-not-read"])
    }

    @Test("counts the warnings that are expected")
    func expected() throws {
        let policy =
            SimulatedShop.policy + "\naccess:\n  - name: gifts\n    when: {state: revoked}\n"
            + "    then: grant\n"
        let shop = try SimulatedShop(policy: policy)
        #expect(try diagnostics([shop.policies]).1.count == 1)
        try shop.folder.write(
            policy + "    expect-warning: {id: grants-after-end, because: it is one}\n",
            to: "policies/policy.yaml")
        let run = try Program.run(["policy", "check", shop.policies, "--lang", "en"])
        #expect(run.status == 0)
        #expect(run.output.contains("warnings that are expected: 1\n"), "\(run.output)")
    }
}
