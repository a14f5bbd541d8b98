internal import Crypto
internal import EntitlementModel
internal import StoreSimulator

/// The receipts that this box has signed: verifyReceipt knows no others.
struct IssuedReceipts {
    struct Issued {
        enum Form {
            /// The receipt of a whole app, with what it contains.
            case app([SimulatedTransaction])
            /// Of one transaction, as iOS 6 had it.
            case transaction(String)
        }

        let environment: StoreEnvironment
        let appleID: String
        let createdAt: Instant
        let form: Form
    }

    private var issued: [Digest256: Issued] = [:]
    private var signer: ReceiptSimulator?

    /// Who signs receipts; made when first asked for, because RSA keys take their time.
    mutating func simulator(_ settings: SimulatedAppStoreSettings) -> ReceiptSimulator {
        if let signer { return signer }
        let made = settings.receiptSigner()
        signer = made
        return made
    }

    mutating func keep(_ receipt: Issued, as bytes: [UInt8]) {
        issued[Digest256(hash: SHA256.hash(data: bytes))] = receipt
    }

    subscript(bytes: [UInt8]) -> Issued? {
        issued[Digest256(hash: SHA256.hash(data: bytes))]
    }
}

extension AppStoreWorld {
    /// The app receipt on a device of an Apple ID, base64.
    func issueReceipt(of appleID: String, _ side: StoreSide) -> String {
        let createdAt = signingInstant(side)
        let receipt = side.store.receipt(of: appleID, createdAt: createdAt)
        let bytes = receipts.simulator(settings).sign(receipt)
        receipts.keep(
            IssuedReceipts.Issued(
                environment: side.environment, appleID: appleID, createdAt: createdAt,
                form: .app(side.store.receiptTransactions(of: appleID))), as: bytes)
        return Base64.standard.encode(bytes)
    }

    /// The receipt of one transaction in the form of iOS 6, base64; nil where it is unknown.
    func issueTransactionReceipt(of id: String, _ side: StoreSide) -> String? {
        guard let (_, purchase, transaction) = try? side.transaction(id) else { return nil }
        let info = """
            {
            \t"original-transaction-id" = "\(transaction.originalTransactionID)";
            \t"transaction-id" = "\(id)";
            \t"product-id" = "\(transaction.productID)";
            \t"bid" = "\(transaction.bundleID)";
            \t"purchase-date-ms" = "\(transaction.purchaseDate.milliseconds)";
            }
            """
        let text = """
            {
            \t"signature" = "\(Base64.standard.encode(Array(id.utf8)))";
            \t"purchase-info" = "\(Base64.standard.encode(Array(info.utf8)))";
            \t"environment" = "\(side.environment.signedName)";
            \t"pod" = "100";
            \t"signing-status" = "0";
            }
            """
        let bytes = Array(text.utf8)
        receipts.keep(
            IssuedReceipts.Issued(
                environment: side.environment, appleID: purchase.appleID,
                createdAt: signingInstant(side), form: .transaction(id)), as: bytes)
        return Base64.standard.encode(bytes)
    }
}
