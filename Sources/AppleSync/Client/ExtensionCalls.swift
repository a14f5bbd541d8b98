package import EntitlementEngine
package import EntitlementModel
internal import StrictJSON

/// An extension of renewal dates: free days for subscribers.
package struct RenewalExtension: Hashable, Sendable {
    /// Why, as Apple counts it.
    package enum Reason: Int64, CaseIterable, Hashable, Sendable {
        case undeclared = 0
        case satisfaction = 1
        case other = 2
        case outage = 3
    }

    /// The days that Apple allows at once.
    package static let days = 1...90

    package let extraDays: Int
    package let reason: Reason
    /// Chosen by the caller, at most 128 characters; names the extension to Apple.
    package let requestID: String

    /// Nil for days that Apple does not allow, and for an empty or long id.
    package init?(extraDays: Int, reason: Reason, requestID: String) {
        guard Self.days.contains(extraDays), (1...128).contains(requestID.utf8.count) else {
            return nil
        }
        self.extraDays = extraDays
        self.reason = reason
        self.requestID = requestID
    }

    fileprivate var body: JSONValue {
        [
            "extendByDays": .integer(Int64(extraDays)),
            "extendReasonCode": .integer(reason.rawValue),
            "requestIdentifier": .string(requestID),
        ]
    }
}

/// What became of one subscription.
package struct ExtensionResult: Hashable, Sendable {
    package var lineage: TransactionID
    package var succeeded: Bool
    /// The renewal date from now on.
    package var renewsAt: Instant?
}

/// How far an extension for all subscribers is.
package struct MassExtensionStatus: Hashable, Sendable {
    package var requestID: String
    package var isComplete: Bool
    package var completedAt: Instant?
    package var succeeded: Int64?
    package var failed: Int64?
}

extension AppStoreClient {
    /// Extend a Subscription Renewal Date. Not repeated where it may have been carried out: a
    /// repetition could extend twice.
    package func extend(
        _ lineage: TransactionID, by extent: RenewalExtension, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> ExtensionResult {
        var call = AppStoreCall.send(
            "PUT", ["v1", "subscriptions", "extend", lineage.text], extent.body, limit: 20)
        call.isRepeatable = false
        let answer = try await answer(to: call, in: environment)
        guard try answer.text("originalTransactionId") == lineage.text else { throw answer.bad }
        return ExtensionResult(
            lineage: lineage, succeeded: try answer.flag("success"),
            renewsAt: try answer.integerIfAny("effectiveDate").map(Instant.init(milliseconds:)))
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers of a product.
    ///
    /// - Parameter storefronts: ISO 3166-1 alpha-3 codes; nil for all.
    /// - Returns: the id of the request, by which its status is asked.
    package func extendAll(
        of product: ProductID, by extent: RenewalExtension, storefronts: [String]?,
        in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> String {
        var body = extent.body
        body["productId"] = .string(product.text)
        body["storefrontCountryCodes"] = storefronts.map { .array($0.map { .string($0) }) }
        var call = AppStoreCall.send(
            "POST", ["v1", "subscriptions", "extend", "mass"], body, limit: 1)
        call.isRepeatable = false
        let answer = try await answer(to: call, in: environment)
        guard try answer.text("requestIdentifier") == extent.requestID else { throw answer.bad }
        return extent.requestID
    }

    /// Get Status of Subscription Renewal Date Extensions.
    package func statusOfExtension(
        _ requestID: String, of product: ProductID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> MassExtensionStatus {
        let answer = try await answer(
            to: .get(
                ["v1", "subscriptions", "extend", "mass", product.text, requestID], limit: 1),
            in: environment)
        guard try answer.text("requestIdentifier") == requestID else { throw answer.bad }
        return MassExtensionStatus(
            requestID: requestID, isComplete: try answer.flag("complete"),
            completedAt: try answer.integerIfAny("completeDate").map(Instant.init(milliseconds:)),
            succeeded: try answer.integerIfAny("succeededCount"),
            failed: try answer.integerIfAny("failedCount"))
    }
}

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
