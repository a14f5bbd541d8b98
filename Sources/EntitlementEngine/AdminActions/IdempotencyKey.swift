internal import Crypto
internal import EntitlementModel

/// The key under which somebody asks for something to be made, and by which it is known
/// afterwards. It belongs to whoever used it: what another one made with the same key is another
/// thing, and is passed over.
struct IdempotencyKey<ID: Identifier> {
    let id: ID
    let actor: String

    /// What the key stands for, or the id under which it is to be made.
    ///
    /// The first who uses a key gets it as the id. Others get one that the key and their own name
    /// make, so that it is the same each time.
    ///
    /// - Parameters:
    ///   - record: what there is under an id.
    ///   - maker: who made it.
    func look<Record, Failure>(
        _ record: (ID) throws(Failure) -> Record?, madeBy maker: (Record) -> String
    ) throws(Failure) -> (id: ID, known: Record?) {
        var id = id
        while let known = try record(id) {
            guard maker(known) != actor else { return (id, known) }
            id = next(after: id)
        }
        return (id, nil)
    }

    private func next(after id: ID) -> ID {
        let text = "\(id.text)@\(actor)"
        if let id = ID(text) { return id }
        // Too long for an id.
        guard let digest = Digest256(Array(SHA256.hash(data: Array(text.utf8)))) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        return ID(unchecked: digest.hexadecimal)
    }
}
