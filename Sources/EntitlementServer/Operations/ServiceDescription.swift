internal import StrictJSON

/// The API description that `/openapi.json` serves.
enum ServiceDescription {
    static let json: [UInt8] = JSONValue.object([]).serialized()
}
