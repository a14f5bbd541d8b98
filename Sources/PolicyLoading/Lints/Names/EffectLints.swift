internal import EntitlementModel

/// Rules whose `then` does the opposite of what their name says.
extension PolicyBuilder {
    mutating func checkEffects(_ policy: Policy) {
        let rights = policy.entitlements.flatMap { [$0.key.text, $0.value.english] }
            .map { "no " + WordsOfName($0).words.joined(separator: " ") }
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let name = value.text,
                    let then = rule.value("then"), let verb = then.text
                else { continue }
                let reader = EffectReader(name, rule, verb)
                let found: EffectReader.Finding? =
                    switch list {
                    case "access": reader.access(rights)
                    case "account_switch": reader.accountSwitch
                    default: reader.refund
                    }
                guard let found else { continue }
                if let limits = found.limits {
                    let otherwise = limits.section?.value("else")
                    problems.add(
                        .conditionAgainstName, at: otherwise?.span ?? limits.span, .written(name),
                        .written(found.phrase), .plain("else: \(otherwise?.text ?? "keep")"),
                        help: .writeOrRename("else: ask"),
                        related: [.init(note: .alsoHere, span: value.span)])
                    continue
                }
                problems.add(
                    .effectAgainstName, at: then.span, .written(name), .written(found.phrase),
                    .written(verb),
                    help: found.verb.map { .writeOrRename("then: \($0)") },
                    related: [.init(note: .alsoHere, span: value.span)])
            }
        }
    }
}

extension PolicyBuilder {
    /// Credits whose title says that a refund leaves them, and of which a refund takes some.
    mutating func checkRefunds() {
        for row in draft.tables["credits"] ?? [] {
            guard let section = row.value.section, let title = section.value("title"),
                let text = title.text
            else { continue }
            let value = section.value("on_refund")
            let written = value?.text ?? "debt"
            guard written != "ignore", let word = NameText(text).first(of: Self.kept) else {
                continue
            }
            problems.add(
                .conditionAgainstName, at: value?.span ?? title.span, .written(text),
                .written(word), .plain("on_refund: \(written)"),
                help: .writeOrRename("on_refund: ignore"),
                related: [.init(note: .alsoHere, span: title.span)])
        }
    }

    private static let kept = [
        "yours to keep", "never taken back", "not taken back", "even if refunded",
        "even after a refund", "stay after a refund", "stays after a refund", "退款不收回", "退款后保留",
        "退款也不收回", "退款不扣",
    ]
}

/// What the name of a rule says that it does.
private struct EffectReader {
    struct Finding {
        let phrase: String
        /// What the name says; nil where several are possible.
        let verb: String?
        /// Where `else` stands, if that is what the name is about.
        var limits: CheckedValue?
    }

    private let name: NameText
    private let rule: CheckedSection
    private let verb: String

    init(_ name: String, _ rule: CheckedSection, _ verb: String) {
        self.name = NameText(name)
        (self.rule, self.verb) = (rule, verb)
    }

    /// Where the name says something that another verb does.
    private func finding(_ phrases: [String], _ meant: String?, _ verbs: String...) -> Finding? {
        guard !verbs.contains(verb), let phrase = name.first(of: phrases) else { return nil }
        return Finding(phrase: phrase, verb: meant)
    }

    // MARK: access

    /// - Parameter rights: how names say that a right is not given.
    func access(_ rights: [String]) -> Finding? {
        // What an exception says belongs to the name, too.
        guard rule.value("unless") == nil else { return nil }
        let isGiven = name.hasAny(Self.given)
        if verb == AccessRule.Effect.grant.rawValue {
            if let ended = finding(Self.ended, AccessRule.Effect.withhold.rawValue) { return ended }
            guard !isGiven, !name.hasAny(Self.lost) else { return nil }
            return finding(Self.denied + rights + none, AccessRule.Effect.withhold.rawValue)
        }
        guard isGiven, !name.hasAny(Self.denied + Self.limited + rights) else { return nil }
        return finding(Self.given, AccessRule.Effect.grant.rawValue)
    }

    /// `no free places in grace`; not `no waiting`, nor `no ads`, which is something to have.
    private var none: [String] {
        guard name.words.count > 2, name.words[0] == "no", !name.hasAny(Self.painless) else {
            return []
        }
        return ["no " + name.words[1]]
    }

    private static let painless = [
        "ad", "ads", "advert*", "wait*", "gap*", "break*", "interrupt*", "charge*", "cost*",
        "need*",
        "longer", "later", "matter", "reason*", "limit*", "loss", "hurry", "pause*", "worry",
        "trouble", "end", "stop*", "payment*", "money", "card", "right away", "at once", "penalty",
        "difference", "questions", "change*",
    ]

    private static let denied = [
        "no access", "nobody", "no one", "never", "not allowed", "must not", "may not", "cannot",
        "can not", "is refused", "are refused", "is denied", "are denied", "is blocked",
        "are blocked", "block*", "is withheld", "are withheld", "withhold*", "gets nothing",
        "get nothing", "do not get", "does not get", "don't get", "loses", "lose", "is closed",
        "are closed", "are banned", "is banned", "forbid*", "不得", "禁止", "不能", "不可", "不允许",
        "不予", "停用", "拒绝", "收回", "封停", "无权", "不给",
    ]

    private static let ended = [
        "ends at once", "end at once", "ends immediately", "end immediately", "stops at once",
        "stop at once", "is over", "are over", "are gone", "is gone", "立即失效", "立即停止", "立即终止",
    ]

    /// What is denied with these is a loss: `nobody loses premium`.
    private static let lost = [
        "lose*", "lost", "ends", "end", "expires", "expire", "stops", "stop", "interrupt*", "cut",
        "gap", "miss*", "without", "is left", "are left", "has to wait", "have to wait", "失去", "中断",
        "影响", "丢失", "停止", "过期",
    ]

    private static let given = [
        "may use", "may keep", "may read", "may watch", "may listen", "may play", "may have",
        "may still", "may go on", "may continue", "may try", "may see", "may access", "may enjoy",
        "can use", "can keep", "can read", "can watch", "can listen", "can play", "can have",
        "can still", "can continue", "can try", "keep", "keeps", "is allowed", "are allowed",
        "get", "gets", "gives", "receive", "receives", "enjoy", "enjoys", "courtesy", "patience",
        "still works", "still work", "still counts", "still count", "for free", "保留", "可以",
        "允许", "继续", "赠送", "仍可", "宽限", "享有", "享受", "延长",
    ]

    private static let limited = [
        "only", "alone", "no", "not", "nothing", "without", "until", "except", "unless", "ends",
        "end", "over", "stop", "stops", "later", "then", "closes", "closed", "lose",
        "loses", "than", "just", "less", "one", "out", "but", "against",
        "from keeping", "不", "只", "仅", "除", "非", "无", "止", "停", "取消", "结束", "直到", "后", "前",
        "限于", "期满", "过期", "未",
    ]

    // MARK: account_switch

    var accountSwitch: Finding? {
        // What nobody uses may move.
        let isIdle = name.hasAny(["nobody uses", "nobody else", "nobody has", "nobody needs"])
        let (moves, stays) = (name.hasAny(Self.moving), name.hasAny(Self.staying) && !isIdle)
        switch verb {
        case "transfer", "transfer-if-inactive", "inherit":
            let isLimit = rule.value("limits") != nil && name.hasAny(Self.often)
            if stays, !isLimit, !moves || name.hasAny(Self.forbidding) {
                return finding(Self.forbidding + Self.staying, "keep")
            }
            if let asking = asking { return asking }
            guard verb == "transfer", let phrase = name.affirmed(of: Self.inactive) else {
                return nil
            }
            return Finding(phrase: phrase, verb: "transfer-if-inactive")
        case "share": return stays && !moves ? finding(Self.staying, "keep") : nil
        case "keep", "deny":
            guard !stays, !name.hasAny(Self.limiting) else { return nil }
            return finding(Self.moving, "transfer") ?? finding(Self.sharing, nil) ?? asking
        case "ask" where rule.value("limits")?.section?.value("else")?.text == "ask":
            // Its limits change nothing.
            return finding(Self.moving + ["moves", "move"], "transfer")
        case "ask" where stays && !name.hasAny(["without", "unless", "until", "未经", "除非"]):
            return finding(Self.forbidding, "keep")
        default: return nil
        }
    }

    /// A person is to decide, and does not.
    private var asking: Finding? {
        let moments = rule.value("when")?.section?.value("moment")?.elements.compactMap(\.text)
        let limits = rule.value("limits")?.section
        guard !(moments ?? []).contains("support"), limits?.value("else")?.text != "ask" else {
            return nil
        }
        var found = finding(Self.asked, "ask", "ask")
        if verb != "ask", name.hasAny(Self.often + ["beyond", "after that", "otherwise", "else"]) {
            found?.limits = rule.value("limits")
        }
        return found
    }

    private static let moving = [
        "may move", "can move", "may take", "can take", "moves to", "move to", "moves with",
        "move with", "follows", "goes with", "go with", "may transfer", "can transfer",
        "may be moved", "can be moved", "may switch", "can switch", "may be transferred",
        "可以转移", "可转移", "可以迁移", "可迁移", "转移到", "允许转移", "可以转到", "可转到", "随账号",
        "可以换", "可更换", "可以更换",
    ]

    private static let forbidding = [
        "never", "may not", "cannot", "can not", "must not", "not move", "does not move",
        "do not move", "no moving", "no transfer", "no transfers", "not transferable",
        "no switching", "not allowed", "nobody", "不得", "不能", "不可", "禁止", "不转移", "不允许",
        "不可转移", "一律不",
    ]

    private static let staying =
        forbidding + [
            "stays with", "stay with", "stays where", "stay where", "keeps", "remains with",
            "remain with", "is kept", "are kept", "tied to the account", "tied to its account",
            "tied to the buyer", "bound to the account", "bound to its account",
            "locked to the account", "locked to its account", "保留在", "留在原",
        ]

    /// What is forbidden beyond a limit.
    private static let often = [
        "twice", "again", "more than", "often", "within", "once", "too", "until", "before", "再次",
        "多次", "超过", "以内", "之内", "天内", "频繁", "再",
    ]

    private static let limiting = [
        "not move", "no", "only", "until", "unless", "except", "without", "otherwise", "beyond",
        "more than", "again", "others", "不", "只", "仅", "除", "非", "无", "未", "超过", "之后",
    ]

    private static let sharing = [
        "whole family", "is shared", "are shared", "may share", "can share", "may be shared",
        "members share", "family shares", "share one", "shares one", "several accounts",
        "for the family", "可以共享", "全家", "可共享", "家人共用",
    ]

    private static let inactive = [
        "lapsed", "inactive", "expired", "过期", "已失效", "已到期",
    ]

    private static let asked = [
        "support agrees", "support decides", "support has", "support approves", "ask support",
        "asks support", "ask us", "ask first", "needs support", "needs approval", "after review",
        "a person decides", "by hand", "人工", "客服", "审核",
    ]

    // MARK: refund_answers

    var refund: Finding? {
        if let phrase = name.first(of: Self.unanswered) {
            return verb == "nothing" ? nil : Finding(phrase: phrase, verb: "nothing")
        }
        if let phrase = name.first(of: Self.declined) {
            guard !name.hasAny(Self.notAltogether) else {
                return verb == "grant" ? finding(Self.prorated, "prorate") : nil
            }
            return ["decline", "nothing"].contains(verb)
                ? nil : Finding(phrase: phrase, verb: "decline")
        }
        if let phrase = name.first(of: Self.prorated) {
            return verb == "prorate" ? nil : Finding(phrase: phrase, verb: "prorate")
        }
        guard !name.hasAny(["not", "no", "never", "only", "不", "仅", "只"]) else { return nil }
        return finding(Self.full, "grant", "grant")
            ?? finding(Self.refunded, nil, "grant", "prorate")
    }

    private static let unanswered = [
        "not answered", "no answer", "unanswered", "say nothing", "says nothing", "told nothing",
        "apple decides", "left to apple", "leave to apple", "leave it to apple", "apple alone",
        "不答复", "不回答", "不回复", "由apple决定", "由 apple 决定", "apple 自行", "不作答复", "不表态",
    ]

    private static let declined = [
        "declin*", "refuse*", "no refund", "no refunds", "not refunded", "never refunded",
        "no money back", "non-refundable", "not refundable", "oppose*", "we object", "object to",
        "we contest", "is contested", "are contested", "we fight", "we dispute", "is disputed",
        "are disputed", "reject*", "turn down", "turned down", "不退", "拒绝退款", "拒绝", "不予退款",
        "不可退", "不支持退款", "反对", "驳回",
    ]

    private static let notAltogether = [
        "as far as", "in full", "not decline*", "not refuse*", "spent", "used", "已用", "已消耗", "已使用",
    ]

    private static let prorated = [
        "as far as", "days left", "that are left", "are left", "is left", "unused", "pro rata",
        "prorat*", "partial*", "in proportion", "remaining", "remainder", "not spent", "unspent",
        "按比例", "按剩余", "剩余",
        "未使用", "部分退款", "未消耗",
    ]

    private static let full = [
        "in full", "full refund", "full refunds", "fully refunded", "fully", "money back",
        "always refunded", "全额",
    ]

    private static let refunded = [
        "is refunded", "are refunded", "get a refund", "gets a refund", "may be refunded",
        "can be refunded", "be given back", "is given back", "are given back", "be returned",
        "paid back", "同意退款", "予以退款", "可以退款", "可退款", "可退",
    ]
}
