internal import Crypto
internal import EntitlementModel

/// SHA-256 as the model carries it.
func sha256(_ bytes: some Collection<UInt8>) -> Digest256 {
    var function = SHA256()
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
        function.update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil {
        Array(bytes).withUnsafeBytes { function.update(bufferPointer: $0) }
    }
    guard let digest = Digest256(function.finalize()) else {
        preconditionFailure("a SHA-256 value has 32 bytes")
    }
    return digest
}
