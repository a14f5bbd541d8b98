internal import CFuzzer

/// Feeds one reader with inputs that libFuzzer makes up, until one breaks it or time is up.
///
///     fuzz TARGET [libFuzzer's own arguments and folders]
///
/// A target stops the process where a promise of the reader does not hold; anything else that
/// stops it is a find as well.
@main
enum Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments[1]) else {
            print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) …")
            return
        }
        var count = CommandLine.argc - 1
        var rest: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            CommandLine.unsafeArgv.advanced(by: 1)
        rest?.pointee = CommandLine.unsafeArgv.pointee
        _ = LLVMFuzzerRunDriver(&count, &rest, target.entry)
    }
}

/// The readers that see bytes of strangers.
enum FuzzTarget: String, CaseIterable {
    case json
    case base64
    case evidence
    case receipt
    case payload
    case certificate
    case answer

    fileprivate var entry: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 {
        switch self {
        case .json: { run($0, $1, readJSON) }
        case .base64: { run($0, $1, readBase64) }
        case .evidence: { run($0, $1, verifyEvidence) }
        case .receipt: { run($0, $1, readReceipt) }
        case .payload: { run($0, $1, decodePayload) }
        case .certificate: { run($0, $1, readCertificate) }
        case .answer: { run($0, $1, verifyAnswer) }
        }
    }
}

private func run(_ data: UnsafePointer<UInt8>?, _ size: Int, _ read: ([UInt8]) -> Void) -> Int32 {
    read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
