package import EntitlementModel
package import Sentences
internal import StrictJSON

extension PlayStep {
    /// Reads one line: `alice buys gold as G1 @0`. Without an instant it happens at `now`; nil asks
    /// for one.
    package init(_ text: String, line: Int, now: Instant? = nil) throws(PlayMistake) {
        let read = try PlayLine(text, line: line, now: now)
        self.line = line
        at = read.at
        let sentence: Sentence
        do throws(SentenceMistake) {
            sentence = try StoreVerb.table.read(read.sentence)
        } catch {
            throw PlayMistake(
                line: line, error.token.map { .notUnderstood($0.text) } ?? .endsEarly)
        }
        do throws(PlayMistake.Reason) {
            action = try PlayAction(sentence)
        } catch {
            throw PlayMistake(line: line, error)
        }
    }
}

extension PlayAction {
    /// The action of a sentence of ``StoreVerb/table``.
    package init(_ sentence: Sentence) throws(PlayMistake.Reason) {
        guard let verb = StoreVerb(rawValue: sentence.verb) else {
            throw .notUnderstood(sentence.verb)
        }
        let (account, purchase) = (sentence[.account] ?? "", sentence[.purchase] ?? "")
        let appleID = sentence[.appleID] ?? account
        switch verb {
        case .buys: self = .buys(try PlayOrder(sentence))
        case .asksToBuy: self = .asksToBuy(try PlayOrder(sentence))
        case .isApproved: self = .isApproved(purchase)
        case .isDeclined: self = .isDeclined(purchase)
        case .restores: self = .restores(account: account, purchase: purchase)
        case .lists: self = .lists(account: account, purchase: purchase)
        case .opensTheApp, .presentsTheApp:
            self = .opensApp(account: account, appleID: appleID, try PlayedApp(sentence))
        case .showsReceipt:
            self = .showsReceipt(
                account: account, appleID: appleID, other: sentence[.otherAppleID])
        case .appleDeletes: self = .appleDeletes(appleID: appleID)
        case .appleSays:
            let type = (sentence[.type] ?? "").split(separator: "/", maxSplits: 1)
            self = .appleSays(
                type: type.first.map(String.init) ?? "",
                subtype: type.count > 1 ? String(type[1]) : nil, about: sentence[.purchase])
        default: self = .event(purchase, PurchaseAction(verb, sentence))
        }
    }
}

extension PlayedApp {
    fileprivate init(_ sentence: Sentence) throws(PlayMistake.Reason) {
        version = sentence[.version] ?? version
        boughtAt = sentence.date(.bought)
        environment = try StoreEnvironment(played: sentence)
    }
}

extension StoreEnvironment {
    /// The one that a sentence names; nil where it names none.
    fileprivate init?(played sentence: Sentence) throws(PlayMistake.Reason) {
        guard let name = sentence[.environment] else { return nil }
        guard let named = StoreEnvironment(rawValue: name) else { throw .notUnderstood(name) }
        self = named
    }
}

extension PlayOrder {
    /// `gold as G on A token`; without a name it is called after its account and product.
    fileprivate init(_ sentence: Sentence) throws(PlayMistake.Reason) {
        account = sentence[.account] ?? ""
        product = sentence[.product] ?? ""
        appleID = sentence[.appleID] ?? account
        name = sentence[.name] ?? ""
        hasToken = sentence.has(.token)
        if sentence.has(.tokenNull) { oddToken = .null }
        if sentence.has(.tokenEmpty) { oddToken = "" }
        if let id = sentence[.order] {
            guard let token = AppAccountToken(id) else { throw .notUnderstood(id) }
            order = token
        }
        isPresented = !sentence.has(.unpresented) && !sentence.has(.untold)
        isTold = !sentence.has(.untold)
        environment = try StoreEnvironment(played: sentence)
        isAssigned = sentence.has(.assigned)
        isAdvancedCommerce = sentence.has(.advanced)
        price = sentence[.price].flatMap { Price(play: $0) }
        quantity = sentence.number(.quantity) ?? 1
        offer = sentence.number(.offer)
        seats = sentence.number(.seats)
        isCommitment = sentence.has(.commitment)
        storefront = sentence[.storefront]
        if let free = sentence[.free].flatMap({ Period($0) }) {
            payment = .free(free)
        } else if let upFront = sentence[.upFront].flatMap({ Period($0) }) {
            payment = .upFront(upFront)
        } else if sentence.has(.each) {
            payment = .each
        }
        // How a first period is paid is part of an offer: an introductory one, if it names none.
        if payment != nil, offer == nil { offer = 1 }
    }
}

extension PurchaseAction {
    /// What happens to one purchase.
    fileprivate init(_ verb: StoreVerb, _ sentence: Sentence) {
        let days = sentence.number(.days)
        switch verb {
        case .fails: self = .fails(graceDays: days)
        case .failsUntil: self = .failsUntil(sentence.date(.grace) ?? .distantPast)
        case .expires:
            self = .expires(
                sentence.has(.overPrice) ? .price : sentence.has(.productGone) ? .product : nil)
        case .buysAgain:
            self = .isBoughtAgain(
                account: sentence[.account] ?? "", hasToken: sentence.has(.token))
        case .upgrades:
            self = .upgrades(
                to: sentence[.product] ?? "", isTold: !sentence.has(.untold))
        case .downgrades: self = .downgrades(to: sentence[.product] ?? "")
        case .redeemsOffer: self = .redeems(offer: sentence.number(.offer) ?? 0)
        case .isExtended: self = .isExtended(days: days ?? 0)
        case .isRefunded:
            self = .isRefunded(
                percent: sentence.number(.percent), isTold: !sentence.has(.untold))
        case .losesItsCard: self = .losesItsCard(graceDays: days)
        case .addsSeats: self = .addsSeats(sentence.number(.seats) ?? 0)
        case .losesSeats: self = .losesSeats(sentence.number(.seats) ?? 0)
        case .isShared:
            let account = sentence[.account] ?? ""
            self = .isShared(account: account, name: sentence[.name] ?? account)
        default: self = Self.plain[verb] ?? .renews
        }
    }

    /// Actions without further words.
    private static let plain: [StoreVerb: PurchaseAction] = [
        .renews: .renews, .graceEnds: .graceEnds, .recovers: .recovers, .cancels: .cancels,
        .resumes: .resumes, .resubscribes: .resubscribes, .keepsItsProduct: .keepsItsProduct,
        .refundIsAskedFor: .refundIsAskedFor, .refundIsDeclined: .refundIsDeclined,
        .refundIsReversed: .refundIsReversed, .isUnshared: .isUnshared,
        .priceRises: .priceRises, .priceIsAccepted: .priceIsAccepted, .getsACard: .getsACard,
        .isFinished: .isFinished,
    ]
}

/// One line of a play: its sentence, and the instant, which may be anywhere in it.
struct PlayLine {
    let at: Instant
    let sentence: String

    init(_ text: String, line: Int, now: Instant? = nil) throws(PlayMistake) {
        var words = text.split(separator: " ")
        if let index = words.firstIndex(where: { $0.hasPrefix("@") }) {
            let word = words.remove(at: index)
            guard let at = Self.instant(word.dropFirst()) else {
                throw PlayMistake(line: line, .badInstant(String(word)))
            }
            self.at = at
        } else if let now {
            at = now
        } else {
            throw PlayMistake(line: line, .noInstant)
        }
        sentence = words.joined(separator: " ")
    }

    /// `10`, `10.5`, `60+1h`, `60-1ms`, counted in days from the start; or a date.
    static func instant(_ text: Substring) -> Instant? {
        if let date = Instant(rfc3339: String(text)) { return date }
        let sign = text.firstIndex { $0 == "+" || $0 == "-" } ?? text.endIndex
        guard let days = Double(text[..<sign]), (0...10_000).contains(days) else { return nil }
        let instant = Play.start.advanced(byMilliseconds: Int64(days * 86_400_000))
        guard sign < text.endIndex else { return instant }
        guard let length = Period(text[text.index(after: sign)...])?.fixedMilliseconds else {
            return nil
        }
        return instant.advanced(byMilliseconds: text[sign] == "+" ? length : -length)
    }
}
