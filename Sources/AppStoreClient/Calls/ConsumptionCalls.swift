package import EntitlementEngine
package import EntitlementModel
internal import StrictJSON

extension AppStoreClient {
    /// Send Consumption Information V2, for all but Advanced Commerce.
    package func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        _ = try await send(
            .send("PUT", ["v2", "transactions", "consumption", id.text], report.body),
            in: environment)
    }

    /// Send Consumption Information V1, for Advanced Commerce only.
    package func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        _ = try await send(
            .send("PUT", ["v1", "transactions", "consumption", id.text], report.body),
            in: environment)
    }
}

extension ConsumptionReport {
    fileprivate var body: JSONValue {
        var body: JSONValue = [
            "customerConsented": true, "deliveryStatus": .string(delivery.rawValue),
            "sampleContentProvided": .bool(hadSample),
        ]
        body["refundPreference"] = preference.map { .string($0.rawValue) }
        body["consumptionPercentage"] = consumedMilliPercent.map { .integer($0) }
        return body
    }
}

extension FirstConsumptionReport {
    fileprivate var body: JSONValue {
        var body: JSONValue = [
            "customerConsented": true, "sampleContentProvided": .bool(hadSample),
            "appAccountToken": .string(appAccountToken),
        ]
        for field in Field.allCases {
            body[field.rawValue] = .integer(fields[field] ?? 0)
        }
        return body
    }
}
