internal import EntitlementModel
internal import HeapModule
internal import StrictJSON

/// Everything in the box: both environments under one virtual clock. The same calls in the same
/// order do the same.
///
/// Belongs to one `SimulatedAppStore` and is used in its lock only.
final class AppStoreWorld {
    let settings: SimulatedAppStoreSettings
    /// How often the box was reset.
    let generation: Int
    let identity: AppStoreIdentity
    let signer: StoreSimulator
    let production: StoreSide
    let sandbox: StoreSide
    var now: Instant
    var due = DueQueue()
    var tokens = BearerTokens()
    var receipts = IssuedReceipts()
    /// Notifications that are to be sent now, oldest first.
    var outbox: [NotificationDelivery] = []
    var failures: [FailureRule] = []
    var chaos = NotificationChaos()
    var dice: SeededGenerator
    /// Set while an answer is falsified.
    var falsification: Falsification?
    /// Signs under an untrusted root; made on first use.
    private lazy var stranger = SimulatedAppStoreSettings.signer(seed: ~settings.seed)
    /// Lines of plays that could not be played when their time came.
    var mistakes: [PlayMistake] = []

    init(_ settings: SimulatedAppStoreSettings, generation: Int = 0) {
        self.settings = settings
        self.generation = generation
        identity = AppStoreIdentity(seed: settings.seed)
        dice = SeededGenerator(seed: settings.seed)
        now = settings.start
        signer = SimulatedAppStoreSettings.signer(seed: settings.seed, root: settings.root)
        production = StoreSide(settings.store(in: .production))
        sandbox = StoreSide(settings.store(in: .sandbox))
        let environment = settings.play?.environment ?? .production
        for step in settings.steps { due.add(.step(environment, step), at: step.at) }
    }

    func side(_ environment: StoreEnvironment) -> StoreSide {
        environment == .production ? production : sandbox
    }

    /// When answers are signed: never before anything that was signed already.
    func signingInstant(_ side: StoreSide) -> Instant {
        max(now, side.store.signed).advanced(byMilliseconds: falsification?.skew ?? 0)
    }

    /// A transaction as Apple describes it now.
    func sign(_ transaction: SimulatedTransaction, _ side: StoreSide) -> JSONValue {
        var transaction = transaction
        transaction.signedDate = signingInstant(side)
        transaction.bundleID = falsification?.bundleID ?? transaction.bundleID
        transaction.environment = falsification?.environment ?? transaction.environment
        return sign(transaction.payload)
    }

    func sign(_ renewal: SimulatedRenewal, _ side: StoreSide) -> JSONValue {
        var renewal = renewal
        renewal.signedDate = signingInstant(side)
        renewal.environment = falsification?.environment ?? renewal.environment
        return sign(renewal.payload)
    }

    func sign(_ payload: JSONValue) -> JSONValue {
        let signer = falsification?.hasWrongIssuer == true ? stranger : signer
        return .string(String(decoding: signer.sign(payload), as: UTF8.self))
    }

    /// The app that an answer names.
    func bundleID(_ side: StoreSide) -> String { falsification?.bundleID ?? side.store.bundleID }

    /// The environment that an answer names.
    func environmentName(_ side: StoreSide) -> String {
        (falsification?.environment ?? side.environment).signedName
    }
}

/// The virtual clock.
extension AppStoreWorld {
    /// Executes due events in order until an instant.
    /// - Returns: whether the clock has arrived; if not, it stands at notifications whose results
    ///   must be reported before it continues.
    func advance(to target: Instant) -> Bool {
        while outbox.isEmpty, let next = due.first, next.at <= target {
            _ = due.removeFirst()
            now = max(now, next.at)
            perform(next)
        }
        guard outbox.isEmpty else { return false }
        now = max(now, target)
        return true
    }

    private func perform(_ item: DueQueue.Item) {
        do throws(PlayMistake) {
            switch item.task {
            case .step(let environment, let step): _ = try play(step, in: environment)
            case .purchase(let environment, let name):
                let side = side(environment)
                guard side.store.due(name) == item.at else { return }
                side.store.move(to: now)
                try side.store.proceed(name)
                file(side)
            case .massExtension(let environment, let request):
                complete(request, side(environment))
            case .notification(let environment, let index): send(index, side(environment))
            }
        } catch {
            mistakes.append(error)
        }
    }

    /// Does what a line says, now.
    func play(
        _ step: PlayStep, in environment: StoreEnvironment
    ) throws(PlayMistake) -> [StoreEvent] {
        let side = side(environment)
        var step = step
        step.at = now
        defer { file(side) }
        try side.store.play(step)
        return file(side)
    }

    /// Says a line: now, or when its instant comes.
    func say(
        _ line: String, in environment: StoreEnvironment
    ) throws(PlayMistake) -> [StoreEvent] {
        let step = try PlayStep(line, line: 1, now: now)
        guard step.at > now else { return try play(step, in: environment) }
        due.add(.step(environment, step), at: step.at)
        return []
    }

    /// Files what a store did, and notes when something is due again.
    @discardableResult
    func file(_ side: StoreSide) -> [StoreEvent] {
        let (purchases, notifications, events) = side.absorb()
        for name in purchases {
            guard let instant = side.store.due(name) else { continue }
            due.add(.purchase(side.environment, name), at: max(instant, now))
        }
        for index in notifications where settings.notifies {
            let late = chaos.lateMilliseconds > 0 ? dice.below(Int(chaos.lateMilliseconds)) : 0
            due.add(
                .notification(side.environment, index),
                at: now.advanced(byMilliseconds: Int64(late)))
        }
        return events
    }
}

/// The future events of a virtual clock, soonest first.
struct DueQueue {
    enum Task {
        /// A line of a play.
        case step(StoreEnvironment, PlayStep)
        /// The end of a subscription's period, grace or retries.
        case purchase(StoreEnvironment, String)
        case massExtension(StoreEnvironment, String)
        /// A notification is sent, or sent again.
        case notification(StoreEnvironment, Int)

        /// A scripted event comes before automatic ones at the same instant.
        fileprivate var rank: Int {
            switch self {
            case .step: 0
            case .purchase, .massExtension: 1
            case .notification: 2
            }
        }
    }

    struct Item: Comparable {
        let at: Instant
        let task: Task
        fileprivate let order: Int

        static func == (one: Item, other: Item) -> Bool { one.order == other.order }

        static func < (one: Item, other: Item) -> Bool {
            (one.at, one.task.rank, one.order) < (other.at, other.task.rank, other.order)
        }
    }

    private var items = Heap<Item>()
    private var count = 0

    var first: Item? { items.min }

    mutating func add(_ task: Task, at instant: Instant) {
        count += 1
        items.insert(Item(at: instant, task: task, order: count))
    }

    mutating func removeFirst() -> Item? { items.popMin() }
}
