internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("policy show", .timeLimit(.minutes(20)))
struct PolicyShowTests {
    @Test("writes one page to a file, and nothing else")
    func page() throws {
        let shop = try SimulatedShop()
        let path = shop.folder.path + "/out/policy.html"
        let run = try Program.run([
            "policy", "show", shop.policies, "--format", "html", "--output", path,
        ])
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
        let other = try Program.run(["policy", "show", shop.policies, "--html"])
        #expect(other.output.hasPrefix("<!doctype html>"))
    }

    @Test("has the parts that are asked for, of the products that are")
    func parts() throws {
        let shop = try SimulatedShop()
        let command = ["policy", "show", shop.policies, "--json"]
        let all = try parseJSON(Array(Program.run(command).output.utf8))
        let products = try #require(all["products"]?.elements)
        #expect(all["cells"] != nil && all["settings"] != nil && products.count > 1)
        let id = try #require(products[0]["id"]?.string)
        let some = try Program.run(command + ["--part", "products", "--product", id])
        let part = try parseJSON(Array(some.output.utf8))
        #expect(part["products"]?.elements?.count == 1)
        #expect(part["cells"] == nil)
    }

    @Test(
        "says what it cannot show",
        arguments: [
            (["--entitlement", "nosuch"], 2, "the policy has no entitlement 'nosuch'"),
            (["--width", "39"], 64, "--width is a number from 40 to 400"),
            (["--part", "rest"], 64, "'rest'"), (["--product", ""], 64, "--product is a pattern"),
            (["--output", "/dev/null/x"], 2, "/dev/null/x"),
        ] as [([String], Int32, String)])
    func mistakes(options: [String], status: Int32, said: String) throws {
        let shop = try SimulatedShop()
        let run = try Program.run(["policy", "show", shop.policies, "--lang", "en"] + options)
        #expect(run.errors.contains(said), "\(run.errors)")
        #expect(run.status == status && run.output.isEmpty, "\(run.status)")
    }
}
