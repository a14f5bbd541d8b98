package import EntitlementModel
package import PolicyLoading
package import Sentences
package import StoreBox

/// What happens to the customers of a shop, and what must be true of them then (spec 2.3).
package struct Story: Sendable {
    /// The path of its file, as it was named.
    package var file: String
    package var title: String
    var chineseTitle: String?
    /// Why it is told.
    package var because: String?
    var environment = StoreEnvironment.production
    /// Whether subscriptions renew by the clock; else the steps say when they do.
    var isAutomatic = false
    /// What its ids are computed from; its text where it names nothing else.
    var ids: String
    /// What short words stand for.
    var products: [String: StoryProduct] = [:]
    package var steps: [StoryStep] = []

    /// In the language of whoever reads it.
    package func title(in language: Language) -> String {
        language == .chinese ? chineseTitle ?? title : title
    }

    /// From its first step to its last.
    package var extent: (first: Instant, last: Instant) {
        let first = steps.first?.at ?? Play.start
        return (first, steps.last?.at ?? first)
    }
}

/// What a word of a story is sold as.
enum StoryProduct: Hashable, Sendable {
    /// A product of the policy.
    case inPolicy(ProductID)
    /// Described by the story itself.
    case described(PlayProduct)
}

/// Something that happens, or must be true, at an instant.
package struct StoryStep: Sendable {
    package var at: Instant
    package var sentence: Sentence
    /// Of the whole sentence.
    package var place: TextLocation
    /// As it was written.
    package var text: String

    /// Whether it says what must be true.
    package var isExpectation: Bool { StoryExpectation(rawValue: sentence.verb) != nil }
}

extension Story {
    /// What happens in its shop, for the simulated store: with the products that its steps name.
    ///
    /// - Parameter policy: whose products can be named; nil for those that the story describes.
    package func play(with policy: Policy?) -> Play {
        var sold = policy?.soldProducts ?? [:]
        for (word, product) in products {
            switch product {
            case .described(let described): sold[word] = described
            case .inPolicy(let id): sold[word] = policy?.products[id]?.sold
            }
        }
        return Play(
            ids: ids, why: because ?? title, environment: environment,
            bundleID: policy?.app.bundleID.text ?? ExampleApp.bundleID,
            appAppleID: policy?.app.appleID ?? ExampleApp.appleID, products: sold,
            steps: storeSteps, isAutomatic: isAutomatic, extent: extent)
    }

    /// What happens in the store, without what only a service knows.
    private var storeSteps: [PlayStep] {
        steps.compactMap { step in
            guard StoreVerb(rawValue: step.sentence.verb) != nil else { return nil }
            var sentence = step.sentence
            // A name is known to a service only; a token is the store's as well.
            if sentence[.order].flatMap({ AppAccountToken($0) }) == nil {
                sentence.values[.order] = nil
            }
            let action = try? PlayAction(sentence)
            return action.map { PlayStep(line: step.place.line, at: step.at, action: $0) }
        }
    }
}

extension Policy {
    /// The app and what it sells, for a store in which nothing has happened yet.
    package var catalogue: Play {
        Play(
            ids: app.bundleID.text, why: "", bundleID: app.bundleID.text,
            appAppleID: app.appleID ?? ExampleApp.appleID, products: soldProducts, steps: [],
            isAutomatic: true)
    }

    /// All products by their ids, and by the end of an id that no other one has.
    fileprivate var soldProducts: [String: PlayProduct] {
        var sold: [String: PlayProduct] = [:]
        for (id, product) in products { sold[id.text] = product.sold }
        for (word, ids) in productWords where sold[word] == nil && ids.count == 1 {
            sold[word] = products[ids[0]]?.sold
        }
        return sold
    }

    /// The ends of product ids, from each dot on, with the products that have them.
    var productWords: [String: [ProductID]] {
        var words: [String: [ProductID]] = [:]
        for id in products.keys {
            var rest = id.text[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if !rest.isEmpty { words[String(rest), default: []].append(id) }
            }
        }
        return words
    }

    /// How a story may name the products that somebody means who writes a part of their ids: by
    /// the shortest end with that part that no other id has. All products where no id has it.
    func names(ofProductsLike word: String) -> [String] {
        let part = word.lowercased()
        let ids = products.keys.sorted { $0.text < $1.text }
        let whole = ids.filter {
            $0.text.lowercased().split(separator: ".").contains(Substring(part))
        }
        let like = whole.isEmpty ? ids.filter { $0.text.lowercased().contains(part) } : whole
        let ends = productWords.filter { end, ids in
            ids.count == 1 && !products.keys.contains { $0.text == end }
        }
        return (like.isEmpty ? ids : like).map { id in
            let own = ends.filter { end, ids in
                ids == [id] && (like.isEmpty || end.lowercased().contains(part))
            }
            return own.keys.min { $0.utf8.count < $1.utf8.count } ?? id.text
        }
    }

    /// What to write for a product that is not there.
    func help(forProduct word: String, among known: [String]) -> Help? {
        let names = names(ofProductsLike: word)
        let isLike = names.count < products.count
        if isLike, names.count == 1 { return .didYouMean(names[0]) }
        if isLike, names.count <= 12 { return .didYouMeanEither(names) }
        return suggestion(for: word, among: known).map(Help.didYouMean)
            ?? (names.count <= 12 ? .oneOf(names) : nil)
    }

    /// The product that a word names: its id, or an end of one that no other has.
    func product(named word: String) -> Product? {
        if let product = products.values.first(where: { $0.id.text == word }) { return product }
        let ids = productWords[word] ?? []
        return ids.count == 1 ? products[ids[0]] : nil
    }
}

extension Product {
    /// As the store sells it. Groups are numbers at Apple; any text will do.
    fileprivate var sold: PlayProduct {
        let price = prices["USD"].map { Price(milliunits: $0, currency: "USD") }
        let other = prices.sorted { $0.key < $1.key }.first.map {
            Price(milliunits: $0.value, currency: $0.key)
        }
        return PlayProduct(
            id: id.text, kind: kind, group: kind == .autoRenewable ? group?.text ?? id.text : nil,
            period: kind == .autoRenewable ? period ?? Period(1, .months) : nil,
            price: price ?? other)
    }
}
