package import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

extension AppStoreClient {
    /// Production first; the sandbox on 21007, and production again if the sandbox says 21008. Two
    /// servers that send each other every receipt are a bad answer.
    ///
    /// The app that the receipt is for is not checked here: whoever judges the answer does it, since
    /// it is a property of what was sent.
    package func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        let call = verifyReceiptCall(receipt)
        let directions: [(environment: StoreEnvironment, elsewhere: Int)] = [
            (.production, 21_007), (.sandbox, 21_008), (.production, 0),
        ]
        for (environment, elsewhere) in directions {
            let response: TransportResponse
            do throws(AppStoreFailure) {
                response = try await send(call, in: environment)
            } catch {
                throw environment == .sandbox ? error.afterFallback : error
            }
            guard let answer = ReceiptAnswer(response.body) else {
                preconditionFailure("an answer without a status is a failure")
            }
            switch answer.status {
            case 0, 21_006:
                let name = answer.environment ?? environment.signedName
                guard name == environment.signedName else { throw badAnswer(answer) }
                return FetchedReceipt(
                    environment: environment, status: answer.status, body: response.body)
            case elsewhere: continue
            default: throw badAnswer(answer)
            }
        }
        throw AppStoreFailure(.badAnswer, code: 21_007, httpStatus: 200)
    }

    private func badAnswer(_ answer: ReceiptAnswer) -> AppStoreFailure {
        AppStoreFailure(.badAnswer, code: answer.status, httpStatus: 200)
    }

    private func verifyReceiptCall(_ receipt: String) -> AppStoreCall {
        var body: JSONValue = ["receipt-data": .string(receipt)]
        body["password"] = configuration.sharedSecret.map { .string($0.revealed) }
        body["exclude-old-transactions"] = false
        return AppStoreCall(
            service: .verifyReceipt, method: "POST", body: body.serialized())
    }
}
