internal import EntitlementEngine

/// Reports of a store's catalogue and of payments, until there are too many for a day.
let storeReportExamples: [WireRequest] =
    [
        .post("/v1/accounts/sam/catalog/reports", #"{"invalid_products":["gold"]}"#),
        .post("/v1/accounts/sam/catalog/reports", #"{"invalid_products":["gold"]}"#),
        .post("/v1/accounts/sam/catalog/reports", "{}"),
        .post("/v1/accounts/sam/catalog/reports", #"{"invalid_products":["a b"]}"#),
        .post(
            "/v1/accounts/sam/catalog/reports",
            #"{"payments":[{"product":"gold","outcome":"lost"}]}"#),
    ]
    + Array(
        repeating: WireRequest.post(
            "/v1/accounts/sam/catalog/reports",
            #"{"environment":"sandbox","#
                + #""payments":[{"product":"gold","outcome":"failed","store_code":"2"}]}"#),
        count: EntitlementEngine.storeReportsPerDay)
