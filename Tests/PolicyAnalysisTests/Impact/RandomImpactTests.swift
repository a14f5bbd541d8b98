internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import PolicyAnalysis
internal import TestSupport
internal import Testing

/// Whom a change of policy concerns and what it changes, held against brute force over random
/// histories and random changes of their policies.
@Suite("The impact of a random change of policy", .timeLimit(.minutes(20)))
struct RandomImpactTests {
    private static let seeds: UInt64 = 300

    @Test("is what deriving everybody by both policies finds, and spares nobody who is concerned")
    func bruteForce() {
        var (lost, gained, spared) = (0, 0, 0)
        for seed in 1...Self.seeds {
            let scene = ImpactScene(seed: seed)
            for account in scene.accounts {
                let old = deriveAccount(account, policies: scene.before, facts: scene.facts)
                let new = deriveAccount(account, policies: scene.after, facts: scene.facts)
                let found = rightChanges(from: old, to: new, in: scene.window)
                let expected = EveryAccount(old, new, scene.window).changes
                #expect(
                    Set(found.map(FoundChange.init)) == expected,
                    "seed \(seed), \(account.text)")
                lost += found.count { $0.direction == .loses }
                gained += found.count { $0.direction == .gains }
            }
            if scene.concern != .everybody, !scene.concernsAnyFact {
                spared += 1
                let isChanged = scene.accounts.contains { account in
                    let old = deriveAccount(account, policies: scene.before, facts: scene.facts)
                    let new = deriveAccount(account, policies: scene.after, facts: scene.facts)
                    return !EveryAccount(old, new, scene.window).changes.isEmpty
                }
                #expect(!isChanged, "seed \(seed): nobody holds what changes")
            }
        }
        #expect(min(lost, gained) > 20 && spared > 20, "\(lost) \(gained) \(spared)")
    }
}

/// A history, and a policy that takes the place of its last one.
private struct ImpactScene {
    let before: PolicyHistory
    let after: PolicyHistory
    let facts: FactSet
    let window: ImpactWindow
    let concern: PolicyConcern

    init(seed: UInt64) {
        let history = History.random(seed: seed)
        let playback = Playback(history)
        var dice = SplitMix64(seed: seed &* 31)
        let last = playback.policies.current
        let other = History.random(seed: seed &+ 70_000).firstPolicy.policy
        let policy = Self.changed(last, towards: other, &dice)
        let activatedAt = playback.policies.activations.map(\.activatedAt).max() ?? .distantPast
        let instants = history.events.map(\.recordedAt).filter { $0 >= activatedAt }
        window = ImpactWindow(from: instants.isEmpty ? activatedAt : dice.pick(instants))
        before = playback.policies
        var after = playback.policies
        after.activate(policy, at: window.start)
        self.after = after
        facts = playback.facts
        concern = policyConcern(from: last, to: policy, builtIns: builtInAccessRules)
    }

    /// One or two parts of it are the other's.
    private static func changed(
        _ policy: Policy, towards other: Policy, _ dice: inout SplitMix64
    ) -> Policy {
        var policy = policy
        policy.digest = other.digest
        for _ in 0..<(1 + dice.below(2)) {
            switch dice.below(10) {
            case 0: policy.leeway = other.leeway
            case 1: policy.accessRules = other.accessRules
            case 2...3: policy.accessRules += other.accessRules.prefix(1)
            case 4: policy.accessRules = Array(policy.accessRules.dropLast())
            case 5: policy.accessRules = other.accessRules.prefix(1) + policy.accessRules
            case 6:
                guard let id = policy.products.keys.sorted().first else { continue }
                policy.products[id] = nil
            case 7:
                let id = dice.pick(other.products.keys.sorted())
                policy.products[id] = other.products[id]
            case 8:
                let id = dice.pick(policy.products.keys.sorted())
                policy.products[id]?.grants.removeAll()
            default: policy.claimRules = other.claimRules
            }
        }
        return policy
    }

    var accounts: [AccountID] {
        let named =
            facts.claims.map(\.value.account) + facts.decisions.flatMap(\.value.ownersAfter)
            + facts.grants.map(\.value.account) + facts.accountMerges.map(\.value.into)
        return Set(named.map(before.current.name)).sorted()
    }

    var concernsAnyFact: Bool {
        facts.transactions.contains { concern.includes($0.value.productID, $0.value.kind) }
    }
}

/// What a change is, without what gives the right.
private struct FoundChange: Hashable {
    let direction: ImpactDirection
    let right: ImpactRight
    let days: [Bool]

    init(_ change: RightChange) {
        (direction, right, days) = (change.direction, change.right, change.days)
    }

    init(_ direction: ImpactDirection, _ right: ImpactRight, days: [Bool]) {
        (self.direction, self.right, self.days) = (direction, right, days)
    }
}

/// Asks both timelines at every instant that matters, one after the other.
private struct EveryAccount {
    private(set) var changes: Set<FoundChange> = []

    init(_ old: AccountTimeline, _ new: AccountTimeline, _ window: ImpactWindow) {
        for (having, lacking, direction) in [
            (old, new, ImpactDirection.loses), (new, old, .gains),
        ] {
            for key in Set(old.rights.keys).union(new.rights.keys) {
                let (has, lacks) = (having.right(key), lacking.right(key))
                let boundaries = (has.spans + lacks.spans).map(\.interval.start)
                    .filter { window.start <= $0 && $0 <= window.end }
                let isChanged = (window.instants + boundaries).contains {
                    has.span(at: $0).isGranted && !lacks.span(at: $0).isGranted
                }
                guard isChanged else { continue }
                let days = window.instants.map {
                    has.span(at: $0).isGranted && !lacks.span(at: $0).isGranted
                }
                let right = ImpactRight(key.environment, .entitlement(key.entitlement))
                changes.insert(FoundChange(direction, right, days: days))
            }
            for key in Set(old.balances.keys).union(new.balances.keys) {
                let days = window.instants.map { instant in
                    (having.balances[key]?.balance(at: instant) ?? 0)
                        > (lacking.balances[key]?.balance(at: instant) ?? 0)
                }
                guard days.contains(true) else { continue }
                let right = ImpactRight(key.environment, .credit(key.credit))
                changes.insert(FoundChange(direction, right, days: days))
            }
        }
    }
}
