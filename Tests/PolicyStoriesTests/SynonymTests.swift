internal import EntitlementModel
internal import PolicyLoading
internal import PolicyStories
internal import StoreSimulator
internal import Testing

/// Whoever does not know the words of the grammar writes others. None is understood, and each message
/// shows the sentence that was meant.
@Suite("Verbs in other words", .timeLimit(.minutes(20)))
struct SynonymTests {
    /// A sentence in which `_` stands for a word that is none of the grammar's.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let verb: String
        let sentence: String
        let words: [String]

        init(_ verb: String, _ sentence: String, _ words: String) {
            self.verb = verb
            self.sentence = sentence
            self.words = words.split(separator: " ").map(String.init)
        }

        var testDescription: String { "\(verb): \(sentence)" }
    }

    static let store: [Wrong] = [
        Wrong(
            "buys", "alice _ gold.monthly",
            "purchases purchased bought buy pays paid subscribes subscribed acquires gets"),
        Wrong("buys", "alice has _ gold.monthly", "bought purchased paid"),
        Wrong("buys_again", "alice _ G again", "purchases bought buy repurchases purchased"),
        Wrong("asks_to_buy", "alice _ to buy gold.monthly", "requests requested wants ask begs"),
        Wrong(
            "is_approved", "parents _ G",
            "approves approved approve allows allowed permits permitted confirms"),
        Wrong(
            "is_declined", "parents _ G",
            "declines declined decline rejects rejected denies denied forbids"),
        Wrong("restores", "alice _ G", "restored restore restoring reinstalls syncs synced"),
        Wrong("lists", "alice _ G", "listed list enumerates enumerated"),
        Wrong("opens_the_app", "alice _ the app", "opened open launches launched starts runs"),
        Wrong(
            "shows_receipt", "alice _ the receipt of A",
            "showed show sends sent submits submitted uploads uploaded"),
        Wrong(
            "renews", "G _",
            "renewed renew renewing prolongs prolonged continues continued rebills charged"),
        Wrong("renews", "G is _", "renewed prolonged continued charged rebilled"),
        Wrong("fails", "G _", "failed fail failing bounces bounced"),
        Wrong("recovers", "G _", "recovered recover recovering repays"),
        Wrong(
            "cancels", "G _",
            "cancelled canceled cancel cancelling unsubscribes unsubscribed stops stopped quits"),
        Wrong("cancels", "alice _ gold.monthly", "cancelled canceled cancel terminates"),
        Wrong("resumes", "G _", "resumed resume reactivates reactivated uncancels reenables"),
        Wrong(
            "expires", "G _",
            "expired expire expiring lapses lapsed lapse ends ended runs dies"),
        Wrong(
            "resubscribes", "G _",
            "resubscribed resubscribe rejoins rejoined returns returned restarts"),
        Wrong(
            "upgrades", "G _ to gold.yearly",
            "upgraded upgrade upgrading switches switched changes changed"),
        Wrong(
            "downgrades", "G _ to silver.monthly",
            "downgraded downgrade downgrading switches switched changes changed"),
        Wrong("keeps_its_product", "G _ its product", "kept keep stays remains remained"),
        Wrong("redeems_offer", "G _ offer 2", "redeemed redeem uses used applies applied"),
        Wrong("price_rises", "price of G _", "rose raised increases increased goes"),
        Wrong(
            "price_is_accepted", "alice _ the price of G",
            "accepts accepted accept agrees approves approved"),
        Wrong("is_extended", "support _ G by 5 days", "extends extended extend lengthens delays"),
        Wrong("loses_its_card", "card of G _", "expires expired blocked lost"),
        Wrong("gets_a_card", "G _ a card", "got updates updated adds changes replaces"),
        Wrong(
            "refund_is_asked_for", "alice _ a refund of G",
            "requests requested asks asked wants wanted demands demanded claims"),
        Wrong("refund_is_asked_for", "refund of G is _", "requested wanted demanded"),
        Wrong(
            "is_refunded", "Apple _ G", "refunds refunded refund reimburses reimbursed repays"),
        Wrong("refund_is_declined", "refund of G is _", "denied rejected refused"),
        Wrong("refund_is_reversed", "refund of G is _", "reverted undone withdrawn revoked"),
        Wrong("is_shared", "alice _ G with bob", "shares shared share sharing"),
        Wrong("is_unshared", "alice _ G", "unshares unshared unshare"),
        Wrong("adds_seats", "G _ 5 seats", "added add gains gets increases"),
        Wrong("loses_seats", "G _ 5 seats", "lost lose removes removed drops reduces"),
        Wrong(
            "is_finished", "alice _ G",
            "finishes finished finish consumed delivers delivered completes completed"),
        Wrong("apple_deletes", "Apple _ A", "deleted delete removes removed erases closes"),
    ]

    static let service: [Wrong] = [
        Wrong("presents", "alice _ G", "presented present submits submitted hands claims claimed"),
        Wrong("registers_token", "alice _ a token", "registered register sets stores saves"),
        Wrong(
            "grants", "support _ alice premium",
            "granted grant gives gave give awards awarded gifts gifted"),
        Wrong("grants_credit", "support _ alice 5 coins", "granted gives gave awards credits adds"),
        Wrong("revokes_grant", "support _ grant alice", "revoked revoke withdraws takes removes"),
        Wrong(
            "blocks", "support _ alice",
            "blocked block bans banned ban suspends suspended locks disables bars"),
        Wrong("lifts_block", "support _ alice", "unblocks unblocked unbans unbanned unlocks"),
        Wrong("lifts_block", "support _ block alice", "lifted removes removed ends cancels"),
        Wrong(
            "approves", "support _ the claim of alice on G",
            "approved approve accepts accepted allows confirms"),
        Wrong(
            "refuses", "support _ the claim of alice on G",
            "refused refuse rejects rejected denies declines"),
        Wrong(
            "transfers", "support _ G to bob",
            "transferred transfer moves moved move assigns hands reassigns"),
        Wrong("releases", "support _ G", "released release frees freed detaches unlinks"),
        Wrong(
            "merges", "support _ alice into bob",
            "merged merge merging joins joined combines unites folds"),
        Wrong("undoes_merge", "support _ the merge of alice", "undid undo reverts reverses"),
        Wrong("spends", "alice _ 5 coins", "spent spend uses used use consumes consumed pays"),
        Wrong("holds", "alice _ 5 coins until 2026-02-01", "held hold reserves reserved sets"),
        Wrong("releases_hold", "hold H is _", "freed cancelled ended"),
        Wrong("reverses_spend", "spend S is _", "refunded undone returned"),
        Wrong("thaws", "support _ coins of alice", "thawed unfreezes unfrozen defrosts"),
        Wrong("makes_order", "alice _ an order of gold.monthly", "makes places creates placed"),
        Wrong("settles_order", "support _ order O", "settled closes closed resolves completes"),
        Wrong("refuses_order", "support _ order O", "refused rejects declines denies"),
        Wrong("undoes_order", "support _ order O", "undid undo reverts reopens"),
        Wrong("reassigns_order", "support _ order O to bob", "reassigned transfers moves assigns"),
        Wrong("apple_is_away", "Apple is _", "down offline unreachable unavailable gone"),
        Wrong("apple_is_back", "Apple is _", "up online reachable available"),
        Wrong("policy_changes", "policy next-year _", "changes changed activates activated starts"),
        Wrong("nothing_happens", "time _", "passes passed waits elapses"),
        Wrong("expect_has", "alice _ premium", "has have"),
        Wrong("expect_has", "expect alice _ premium", "owns owned enjoys possesses receives"),
        Wrong("expect_lacks", "expect alice _ premium", "lack misses without hasn't doesn't"),
    ]

    static let chinese: [Wrong] = [
        Wrong("buys", "alice _ gold.monthly", "买 买了 订购 订阅 付费"),
        Wrong("renews", "G _", "续费 续约"),
        Wrong("cancels", "G _", "取消订阅 退订 取消"),
        Wrong("is_refunded", "G _", "退款 退款了 退钱"),
        Wrong("expires", "G _", "过期 失效 结束"),
        Wrong("upgrades", "G _ gold.yearly", "升级为 升级成 升级至"),
        Wrong("downgrades", "G _ silver.monthly", "降级为 降级成 降级至"),
        Wrong("restores", "alice _ G", "恢复 还原"),
        Wrong("grants", "客服_ alice premium", "给予 赠送 送给"),
        Wrong("blocks", "客服_ alice", "封号 禁用 拉黑"),
        Wrong("lifts_block", "客服_ alice", "解封 取消封禁"),
        Wrong("spends", "alice _ 5 个 coins", "消费 使用 用掉"),
        Wrong("expect_has", "期望 alice _ premium", "拥有 享有"),
    ]

    private static func help(_ sentence: String, _ policy: Policy) throws -> Help? {
        let file = PolicyText(
            path: "story.yaml",
            text: "usher: 1\nstory: a story\nsteps:\n  - 2026-01-01: \(sentence)\n")
        let found = readStory(file, policy: policy).diagnostics
        let said = try #require(found.first, "understood: \(sentence)")
        #expect(
            found.count == 1 && [.unknownStep, .stepEndsEarly].contains(said.id),
            "\(sentence): \(found)")
        return said.help
    }

    @Test("are not understood, and the message shows the sentence", arguments: store + service)
    func english(_ wrong: Wrong) throws {
        try expect(wrong, in: .english)
    }

    @Test("are told of in Chinese where the sentence is", arguments: chinese)
    func inChinese(_ wrong: Wrong) throws {
        try expect(wrong, in: .chinese)
    }

    private func expect(_ wrong: Wrong, in language: Language) throws {
        let policy = try ExampleShop.options().policy
        let step = StepSection.allCases.flatMap(\.steps).first { $0.verb == wrong.verb }
        let form = try #require(step).form
        let meant = try #require(form.patterns(in: language).first).shortest
        for word in wrong.words {
            let sentence = wrong.sentence.replacing("_", with: word)
            let shown: [String] =
                switch try Self.help(sentence, policy) {
                case .writtenLike(let text): [text]
                case .writeEither(let texts): texts
                // A slip of the keyboard that leaves one word.
                case .didYouMean(let text): [meant.contains(text) ? meant : text]
                default: []
                }
            #expect(shown.contains(meant), "\(sentence): \(shown)")
            #expect(shown.count <= 3, "\(sentence): \(shown)")
        }
    }

    @Test("every verb is the meaning of some word, and every word leads to a verb")
    func tableIsWhole() {
        let all = Set(StepSection.allCases.flatMap(\.steps).map(\.verb))
        let meant = Set((Self.store + Self.service + Self.chinese).map(\.verb))
        #expect(meant.isSubset(of: all))
        #expect(Set(StoreVerb.allCases.map(\.rawValue)).subtracting(meant) == Self.phrases)
    }

    /// Verbs that nobody writes without having seen them, or whose words are those of others.
    private static let phrases: Set<String> = [
        StoreVerb.failsUntil.rawValue, StoreVerb.graceEnds.rawValue, StoreVerb.appleSays.rawValue,
    ]
}
