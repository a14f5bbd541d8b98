internal import StoreSimulator

/// The words that are known. Those with a word beside them decide where it is there.
extension StorySynonym {
    static let english =
        purchases + subscriptions + refunds + support + credits + orders + apple
        + expectations

    private static func store(
        _ verb: StoreVerb, _ words: String, near: String = ""
    ) -> StorySynonym {
        StorySynonym(verb.rawValue, words, near: near)
    }

    private static func service(
        _ verb: StoryVerb, _ words: String, near: String = ""
    ) -> StorySynonym {
        StorySynonym(verb.rawValue, words, near: near)
    }

    private static func expected(
        _ verb: StoryExpectation, _ words: String, near: String = ""
    ) -> StorySynonym {
        StorySynonym(verb.rawValue, words, near: near)
    }

    private static let purchases = [
        store(
            .buys,
            "purchases purchased purchase purchasing buy bought buying pays paid pay "
                + "paying subscribes subscribed subscribe acquires acquired gets got takes took"),
        store(
            .buysAgain, "buys purchases bought buy purchased repurchases rebuys rebought",
            near: "again repurchases rebuys rebought"),
        store(
            .asksToBuy, "requests requested asked ask wants begs", near: "buy buying purchase"),
        store(.isApproved, "approves approved approve allows allowed permits permitted confirms"),
        store(.isDeclined, "declines declined decline rejects rejected denies denied forbids"),
        store(.restores, "restored restore restoring reinstalls reinstalled syncs synced"),
        store(.lists, "listed list enumerates enumerated"),
        store(
            .opensTheApp, "opened open launches launched starts started runs uses installs",
            near: "app"),
        store(
            .showsReceipt, "showed show sends sent submits submitted uploads uploaded presents",
            near: "receipt"),
        store(.isShared, "shares shared share sharing family"),
        store(
            .isUnshared, "unshares unshared unshare stops stopped",
            near: "unshares unshared unshare sharing shared"),
        store(
            .addsSeats, "adds added add buys purchases gains gets increases grows",
            near: "seats seat"),
        store(
            .losesSeats, "loses lost lose removes removed drops dropped decreases reduces cuts",
            near: "seats seat"),
        store(
            .isFinished,
            "finishes finished finish consumed delivers delivered completes completed "
                + "fulfilled fulfils"),
    ]

    private static let subscriptions = [
        store(
            .renews,
            "renewed renew renewing prolongs prolonged continues continued rebills "
                + "rebilled charged autorenews"),
        store(.fails, "failed fail failing bounces bounced unpaid failure"),
        store(.graceEnds, "ended end over expires expired finishes stops is runs", near: "grace"),
        store(.recovers, "recovered recover recovering recovery repays"),
        store(
            .cancels,
            "cancelled canceled cancel canceling cancelling unsubscribes unsubscribed "
                + "unsubscribe stops stopped quits terminates terminated"),
        store(.cancels, "turns turned switches switched", near: "off"),
        store(
            .resumes, "resumed resume reactivates reactivated uncancels uncancelled reenables"),
        store(.resumes, "turns turned switches switched", near: "on"),
        store(.expires, "expired expire expiring lapses lapsed lapse ends ended runs ran dies"),
        store(
            .resubscribes, "resubscribed resubscribe rejoins rejoined returns returned restarts"),
        store(.upgrades, "upgraded upgrade upgrading switches switched changes changed"),
        store(.downgrades, "downgraded downgrade downgrading switches switched changes changed"),
        store(.keepsItsProduct, "kept keep stays stayed remains remained keeping"),
        store(
            .redeemsOffer, "redeemed redeem uses used applies applied claims claimed gets",
            near: "offer code"),
        store(
            .priceRises, "rose raised raises rise increases increased increase goes climbs",
            near: "price"),
        store(
            .priceIsAccepted, "accepts accepted accept agrees agreed approves approved consents",
            near: "price"),
        store(.isExtended, "extends extended extend lengthens lengthened delays postponed"),
        store(
            .losesItsCard, "lost lose expires expired blocked invalid fails failed declined",
            near: "card"),
        store(
            .getsACard, "got get updates updated adds added changes changed replaces new",
            near: "card"),
    ]

    private static let refunds = [
        store(
            .refundIsAskedFor,
            "requests requested request asks asked ask wants wanted demands demanded "
                + "claims", near: "refund refunds refunded"),
        store(
            .isRefunded,
            "refunds refunded refund refunding reimburses reimbursed repaid repays "
                + "chargeback charges-back"),
        store(
            .refundIsDeclined, "denied denies declines declined rejected rejects refused refuses",
            near: "refund"),
        store(
            .refundIsReversed, "reverted reverts reverses reversed undone undoes withdrawn revoked",
            near: "refund"),
        service(
            .answersRefund, "answered answer replies replied responds responded sends handles",
            near: "request refund"),
        service(
            .consents, "consents consented agrees agreed allows allowed permits lets accepts",
            near: "refunds refund consent apple consumption"),
        service(
            .withdrawsConsent, "withdraws withdrew withdrawn revokes revoked stops opts disallows",
            near: "consent refunds consumption"),
    ]

    private static let support = [
        service(
            .presents, "presented present submits submitted hands handed claims claimed"),
        service(
            .registersToken, "registered register sets set stores stored saves saved",
            near: "token"),
        service(
            .grants, "granted grant gives gave give given awards awarded gifts gifted donates"),
        service(
            .grantsCredit, "granted grant gives gave give awards awarded credits gifts adds",
            near: "5"),
        service(
            .revokesGrant, "revoked revoke withdraws withdrawn takes took removes removed cancels",
            near: "grant gift"),
        service(
            .blocks, "blocked block bans banned ban suspends suspended locks locked disables bars"),
        service(
            .blocksSpending, "blocked block bans banned stops prevents forbids locks freezes",
            near: "spending"),
        service(
            .liftsBlock, "unblocks unblocked unblock unbans unbanned unlocks reinstates"),
        service(
            .liftsBlock, "lifted lift removes removed ends ended cancels clears", near: "block"),
        service(
            .approves, "approved approve accepts accepted allows allowed confirms grants",
            near: "claim"),
        service(
            .refuses, "refused refuse rejects rejected denies denied declines declined",
            near: "claim"),
        service(
            .transfers, "transferred transfer moves moved move assigns assigned hands reassigns"),
        service(.releases, "released release frees freed free detaches unassigns unlinks drops"),
        service(.merges, "merged merge merging joins joined combines combined unites folds"),
        service(
            .undoesMerge, "undid undo undone reverts reverted reverses cancels splits",
            near: "merge merged"),
        service(.undoesMerge, "unmerges unmerged unmerge separates separated"),
        service(
            .reportsInvalid, "reported report misses finds says tells sends", near: "invalid"),
        service(
            .reportsValid, "reported report finds says tells sees", near: "valid"),
    ]

    private static let credits = [
        service(
            .spends, "spent spend spending uses used use consumes consumed pays paid", near: "5"),
        service(.spends, "spent spend deducts debits"),
        service(
            .holds, "held hold reserves reserved reserve authorizes authorises locks sets",
            near: "5"),
        service(
            .captures, "captured capture captures charges charged takes settles deducted taken",
            near: "hold"),
        service(
            .releasesHold, "released release frees freed cancels cancelled voids ends ended",
            near: "hold"),
        service(
            .reversesSpend, "reversed reverses reverse refunded refunds undone undoes returned",
            near: "spend"),
        service(
            .thaws, "thawed thaw unfreezes unfrozen unfreeze defrosts releases",
            near: "thawed thaw unfreezes unfrozen unfreeze defrosts frozen"),
    ]

    private static let orders = [
        service(
            .makesOrder, "makes made places placed creates created starts opens", near: "order"),
        service(.makesOrder, "ordered"),
        service(
            .reportsOrder, "reported report says said tells told notifies sends", near: "order"),
        service(
            .settlesOrder, "settled settle closes closed resolves resolved completes pays",
            near: "order"),
        service(
            .refusesOrder, "refused refuse rejects rejected declines declined denies cancels",
            near: "order"),
        service(
            .undoesOrder, "undid undo undone reverts reverted reverses reopens reopened",
            near: "order"),
        service(
            .reassignsOrder, "reassigned reassign transfers transferred moves moved gives assigns",
            near: "order"),
    ]

    private static let apple = [
        store(
            .appleDeletes, "deleted delete deletes removes removed erases erased closes closed",
            near: "apple"),
        store(
            .appleSays, "said say notifies notified sends sent informs announces reports",
            near: "apple"),
        service(.appleTells, "told tell notifies notified informs informed", near: "apple"),
        service(
            .appleIsAway, "down offline unreachable unavailable gone disappears fails sleeps",
            near: "apple"),
        service(
            .appleIsBack, "up online reachable available returns returned recovers answers",
            near: "apple"),
        service(
            .policyChanges, "changes changed activates activated applies starts becomes takes is",
            near: "policy"),
        service(
            .nothingHappens, "happened happen occurs waits wait passes passed pass elapses changes",
            near: "nothing time"),
    ]

    private static let expectations = [
        expected(
            .has, "has owns own owned gets got enjoys possesses receives holds gained keeps",
            near: "expect expects"),
        expected(.has, "has have"),
        expected(
            .lacks, "lacked lack misses missing without not hasn doesn isn no loses",
            near: "expect expects"),
        expected(.lacks, "lacks lacked lack hasn doesn"),
        expected(
            .has, "expects expected assert asserts verify check checks ensure should must"),
    ]

    static let chinese = [
        store(.buysAgain, "重新购买 再买 又买 再次订阅"),
        store(.asksToBuy, "申请购买 要求购买 请求买"),
        store(.buys, "买了 买 订购 购入 订阅 付费 支付 下载"),
        store(.resubscribes, "重订 重新订购 再订阅"),
        store(.renews, "续费 续约 自动续期了 扣费"),
        store(.cancels, "取消订阅 退订 取消续期 取消自动续期 取消"),
        store(.resumes, "恢复续期 恢复自动续期 重新开启"),
        store(.isRefunded, "已退款 退款了 退钱 退款 退费"),
        store(.refundIsAskedFor, "请求退款 要求退款 想退款"),
        store(.expires, "过期 失效 结束 终止"),
        store(.upgrades, "升级为 升级成 升级至 升到 升级"),
        store(.downgrades, "降级为 降级成 降级至 降到 降级"),
        store(.restores, "恢复了 还原 恢复"),
        store(.isExtended, "延期 加时 顺延"),
        store(.priceRises, "提价 加价 价格上涨"),
        store(.isShared, "分享 共享给"),
        service(.grants, "给予 赠送 送给"),
        service(.blocks, "封号 禁用 拉黑 冻结账户 封锁"),
        service(.liftsBlock, "解封 取消封禁 解禁"),
        service(.merges, "合并到 合并为 合并"),
        service(.transfers, "转移 转让 移交"),
        service(.spends, "消费 使用 用掉 消耗 扣除"),
        service(.holds, "冻结 预扣 保留"),
        service(.makesOrder, "订货 下订单 创建订单"),
        service(.nothingHappens, "没有事 什么也没有发生 无事发生"),
        expected(.has, "拥有 享有 应有 具有"),
        expected(.lacks, "没 缺少 不应有 无权"),
    ]
}
