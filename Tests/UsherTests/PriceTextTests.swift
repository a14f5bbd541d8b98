internal import EntitlementModel
internal import Testing

@testable internal import usher

@Suite("Prices on pages", .timeLimit(.minutes(20)))
struct PriceTextTests {
    @Test(
        "have the decimals of their currency, and none where they are whole",
        arguments: [
            (1_500, "KWD", "1.500 KWD"), (1_250, "KWD", "1.250 KWD"), (2_000, "KWD", "2 KWD"),
            (1_500, "USD", "1.50 USD"), (9_990, "USD", "9.99 USD"), (9_995, "USD", "9.995 USD"),
            (1_200_000, "JPY", "1200 JPY"), (300_500, "JPY", "300.5 JPY"),
            (-1_500, "BHD", "-1.500 BHD"),
        ] as [(Int64, String, String)])
    func decimals(_ milliunits: Int64, _ currency: String, _ text: String) {
        #expect(Price(milliunits: milliunits, currency: currency).text == text)
    }

    @Test("without a currency have two")
    func noCurrency() {
        #expect(Price(milliunits: 500, currency: nil).text == "0.50")
    }
}
