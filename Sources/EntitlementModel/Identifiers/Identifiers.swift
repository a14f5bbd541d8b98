/// The app's own user id (spec 1.1).
package struct AccountID: Identifier {
    package let text: String

    package static var maximumLength: Int { 256 }

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A name by which an Apple ID can be asked for: `atx:<environment>:<id>` or
/// `otx:<environment>:<id>` (spec 1.3).
package struct AppleIDKey: Identifier {
    package let text: String

    package static var maximumLength: Int { 256 }

    /// `atx:` or `otx:`, an environment, `:` and digits, before which `otx:` may have the words of a
    /// download (spec 1.13): anything else is malformed, not merely unknown.
    package static func hasForm(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, ["atx", "otx"].contains(parts[0]),
            StoreEnvironment(rawValue: String(parts[1])) != nil
        else { return false }
        let download = TransactionID.downloadPrefix
        let isDownload = parts[0] == "otx" && parts[2].hasPrefix(download)
        let digits = parts[2].dropFirst(isDownload ? download.utf8.count : 0)
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    package init(unchecked text: String) {
        self.text = text
    }
}

/// Apple's `transactionId` or `originalTransactionId`, unique within an environment.
package struct TransactionID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// Apple's `appTransactionId`: one per Apple ID, app and environment.
package struct AppTransactionID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// Apple's `webOrderLineItemId`: one per period bought, whatever the device.
package struct WebOrderLineItemID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// Apple's `subscriptionGroupIdentifier`, as signed.
package struct SubscriptionGroupID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// The app that a purchase belongs to.
package struct BundleID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A product, under its name at Apple.
package struct ProductID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A named right that products give (spec 1.1).
package struct EntitlementName: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A countable right (spec 1.1).
package struct CreditName: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A subscription group, under the catalogue's name.
package struct GroupName: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A level of a subscription group.
package struct LevelName: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// The app's own purchase order.
package struct OrderID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A right given by hand.
package struct GrantID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// A stop put on an account by a service.
package struct BlockID: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}

/// By which the caller finds the request that an erasure follows. It must not name the person: it is
/// kept.
package struct ErasureReference: Identifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }

    /// Whether it has the account's name in it, in whatever case. A number within a longer one is
    /// another number.
    package func names(_ account: AccountID) -> Bool {
        let (text, name) = (text.lowercased(), account.text.lowercased())
        return text.ranges(of: name).contains { range in
            let (before, after) = (text[..<range.lowerBound].last, text[range.upperBound...].first)
            return ![(before, name.first), (name.last, after)].contains { one, other in
                one?.isNumber == true && other?.isNumber == true
            }
        }
    }
}

/// An ID of unknown kind.
package struct SoughtID: Identifier {
    package let text: String

    package static var maximumLength: Int { 256 }

    package init(unchecked text: String) {
        self.text = text
    }
}
