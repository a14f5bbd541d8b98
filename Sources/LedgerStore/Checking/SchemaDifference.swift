/// Something in the schema of a ledger file that its migrations did not make so.
package enum SchemaDifference: Hashable, Sendable {
    /// An object that is not the ledger's own, such as `trigger 'x'`.
    case foreign(String)
    /// One of the ledger's own, made otherwise.
    case changed(String)
    case missing(String)

    /// The same for people, as the end of a sentence.
    var sentences: (english: String, chinese: String) {
        switch self {
        case .foreign(let object): ("\(object) is not the ledger's own", "\(object)不属于账本")
        case .changed(let object):
            ("\(object) is not what the ledger made", "\(object)与账本建立时不同")
        case .missing(let object): ("\(object) is missing", "缺少\(object)")
        }
    }
}
