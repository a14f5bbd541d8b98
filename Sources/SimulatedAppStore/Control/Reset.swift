internal import EntitlementModel
internal import StrictJSON

extension AppStoreRequest {
    /// Whether the box is to begin again.
    var isReset: Bool { method == "POST" && target == "/box/reset" }
}

extension SimulatedAppStoreSettings {
    /// The same with another seed or another start: `{"seed": "7", "start": "2026-01-01"}`.
    func reset(by fields: ControlFields) throws(ControlError) -> SimulatedAppStoreSettings {
        try fields.allow(["seed", "start"])
        var settings = self
        if let text = try fields.string("seed") {
            guard let seed = UInt64(text) else { throw ControlError(.unknownWord, "seed", text) }
            settings.seed = seed
        }
        if let text = try fields.string("start") {
            guard let start = Instant(rfc3339: text), Self.isStart(start) else {
                throw ControlError(.unknownWord, "start", text)
            }
            settings.start = start
        }
        return settings
    }
}
