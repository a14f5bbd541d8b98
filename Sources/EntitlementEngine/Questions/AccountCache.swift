internal import EntitlementModel
internal import Synchronization

/// The accounts that are in memory.
///
/// An account is packed from a snapshot of the ledger while commits continue. So that a load that
/// began before a commit never overwrites what the commit made stale, every commit notes the
/// accounts that it touched for as long as any load is under way.
final class AccountCache: Sendable {
    private struct Contents {
        /// Asked about since the last change of generations.
        var young = PackedAccountTables()
        /// Not asked about since: they go with the next change.
        var old = PackedAccountTables()
        /// Counts publications: a load that began before the last one that touched its account
        /// must not be kept.
        var publication: UInt64 = 0
        var touched: [AccountID: UInt64] = [:]
        /// The publication after which everything is stale (a policy change).
        var clearedAt: UInt64 = 0
        /// How packed accounts of the policy before are taken over by the one in force; nil where
        /// there are none.
        var takeover: Takeover?
        var loads = 0
        var head = LedgerSequence.zero
        /// A sink for prefetching reads, so that they are not optimised away.
        var seen = 0
    }

    /// The key of an account, made outside the lock.
    private struct Key {
        let account: AccountID
        let hash: PackedAccountTable.NameHash

        init(_ account: AccountID) {
            self.account = account
            hash = PackedAccountTable.NameHash(account.text.utf8.span)
        }
    }

    /// How a policy takes over what was packed by the one before it: account by account, when one
    /// is next asked about or at the latest by a rederivation.
    private struct Takeover {
        let difference: PolicyDifference
        /// Touched since the walk that found the difference began.
        let touched: Set<AccountID>

        /// The packed account by the policy in force; nil where it is to be derived.
        func renewed(_ packed: PackedAccount) -> PackedAccount? {
            if packed.rights.texts.epoch == difference.texts.epoch { return packed }
            let account = packed.account
            guard !touched.contains(account), !difference.accounts.includes(account) else {
                return nil
            }
            return difference.texts.renewed(packed)
        }

        func renew(
            _ packed: PackedAccount, _ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash,
            in tables: inout PackedAccountTables
        ) {
            if let renewed = renewed(packed) {
                tables.keep(renewed, named: name, hash)
            } else {
                tables.remove(name, hash)
            }
        }
    }

    /// How many accounts are handled in one locked section that questions wait for.
    private static let portion = 8

    private let contents = Mutex(Contents())
    /// Two of these are in memory at most.
    private let generation: Int

    /// How many accounts are in memory at most.
    var limit: Int { 2 * generation }

    /// The accounts that were asked about since the last change of generations; before the first
    /// after such a change, all.
    var recent: PackedAccountTables {
        contents.withLock { $0.young.isEmpty ? $0.old : $0.young }
    }

    /// - Parameter limit: how many accounts are in memory at most; half of them at least are
    ///   those that were asked about last.
    init(head: LedgerSequence, limit: Int) {
        generation = max(1, limit / 2)
        contents.withLock { $0.head = head }
    }

    /// The revision that all packed accounts reflect.
    var head: LedgerSequence { contents.withLock { $0.head } }

    /// How many accounts are in memory.
    var count: Int { contents.withLock { $0.young.count + $0.old.count } }

    /// The packed account and the revision that it reflects, read together.
    func packed(of account: AccountID) -> (packed: PackedAccount, revision: LedgerSequence)? {
        packed(named: account.text.utf8.span)
    }

    /// The same, by the bytes of the account's name.
    func packed(named name: Span<UInt8>) -> (packed: PackedAccount, revision: LedgerSequence)? {
        let hash = PackedAccountTable.NameHash(name)
        var dropped: [PackedAccountTables] = []
        let found = contents.withLock { contents -> (PackedAccount, LedgerSequence)? in
            find(name, hash, in: &contents, &dropped).map { ($0, contents.head) }
        }
        release(dropped)
        return found
    }

    /// The accounts whose names are at those places of `bytes`, all as of one revision; nil unless
    /// all are in memory.
    func packedAccounts(
        named names: [Range<Int>], in bytes: Span<UInt8>
    ) -> (packedAccounts: [PackedAccount], revision: LedgerSequence)? {
        let hashes = names.map { PackedAccountTable.NameHash(bytes.extracting($0)) }
        var dropped: [PackedAccountTables] = []
        let found = contents.withLock { contents -> ([PackedAccount], LedgerSequence)? in
            if contents.takeover == nil,
                let young = contents.young.packedAccounts(
                    of: names, in: bytes, hashes, seen: &contents.seen)
            {
                return (young, contents.head)
            }
            var packedAccounts: [PackedAccount] = []
            for (name, hash) in zip(names, hashes) {
                guard let packed = find(bytes.extracting(name), hash, in: &contents, &dropped)
                else { return nil }
                packedAccounts.append(packed)
            }
            return (packedAccounts, contents.head)
        }
        release(dropped)
        return found
    }

    /// Prefetches the accounts of those names from memory, several at once, so that the following
    /// look-ups do not wait for each one. It has no other effect.
    func fetch(named names: [Range<Int>], in bytes: Span<UInt8>) {
        let hashes = names.map { PackedAccountTable.NameHash(bytes.extracting($0)) }
        contents.withLock { contents in
            contents.young.fetch(names, in: bytes, hashes, seen: &contents.seen)
        }
    }

    /// The packed account of that name, which is young from now on.
    ///
    /// - Parameter dropped: gets the generation to be freed.
    private func find(
        _ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash, in contents: inout Contents,
        _ dropped: inout [PackedAccountTables]
    ) -> PackedAccount? {
        if contents.takeover != nil { takeOver(name, hash, in: &contents) }
        if let packed = contents.young.packed(of: name, hash) { return packed }
        guard let packed = contents.old.remove(name, hash) else { return nil }
        keep(packed, name, hash, in: &contents, &dropped)
        return packed
    }

    /// Replaces or removes the packed account of that name, if a policy before made it.
    private func takeOver(
        _ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash, in contents: inout Contents
    ) {
        guard let takeover = contents.takeover else { return }
        if let packed = contents.young.packed(of: name, hash) {
            takeover.renew(packed, name, hash, in: &contents.young)
        } else if let packed = contents.old.packed(of: name, hash) {
            takeover.renew(packed, name, hash, in: &contents.old)
        }
    }

    /// Begins a load; `finishLoad` or `abandonLoad` must follow. What is loaded is what was
    /// published by then, or later: never what is durable only, since no answer tells of it.
    func beginLoad() -> UInt64 {
        contents.withLock { contents in
            contents.loads += 1
            return contents.publication
        }
    }

    /// Keeps the packed account unless a commit has touched its account since the load began.
    /// - Returns: the revision that it reflects; nil if it was not kept and is to be made again.
    func finishLoad(_ packed: PackedAccount, begunAt publication: UInt64) -> LedgerSequence? {
        var dropped: [PackedAccountTables] = []
        let key = Key(packed.account)
        let revision = contents.withLock { contents -> LedgerSequence? in
            let isStale =
                contents.clearedAt > publication
                || (contents.touched[key.account] ?? 0) > publication
            endLoad(&contents)
            if isStale { return nil }
            keep(packed, key.account.text.utf8.span, key.hash, in: &contents, &dropped)
            return contents.head
        }
        release(dropped)
        return revision
    }

    func abandonLoad() {
        contents.withLock { endLoad(&$0) }
    }

    /// Drops accounts that a commit has made stale and advances the revision; called after the
    /// commit is durable and before anyone is told.
    func publish(touched accounts: some Sequence<AccountID>, head: LedgerSequence) {
        contents.withLock { contents in
            contents.publication += 1
            for account in accounts {
                let name = account.text.utf8.span
                let hash = PackedAccountTable.NameHash(name)
                contents.young.remove(name, hash)
                contents.old.remove(name, hash)
                if contents.loads > 0 { contents.touched[account] = contents.publication }
            }
            contents.head = max(contents.head, head)
        }
    }

    /// The head that all answers reflect, with what `body` reads of the policy: both are of one
    /// publication.
    func published<Value>(_ body: () -> Value) -> (head: LedgerSequence, value: Value) {
        contents.withLock { ($0.head, body()) }
    }

    /// The policy has changed: no packed account is as it was. Those that a known difference leaves
    /// alike are taken over when they are asked about, the others are dropped.
    ///
    /// - Parameter commit: puts the policy into force.
    func publishPolicyChange(
        head: LedgerSequence, after difference: PolicyDifference? = nil, _ commit: () -> Void = {}
    ) -> DroppedAccounts {
        contents.withLock { contents in
            commit()
            contents.publication += 1
            contents.clearedAt = contents.publication
            contents.head = max(contents.head, head)
            let dropped = DroppedAccounts(
                recent: contents.young, earlier: contents.old,
                publication: contents.publication)
            contents.takeover = difference.map { difference in
                Takeover(
                    difference: difference,
                    touched: Set(contents.touched.filter { $0.value > difference.load }.keys))
            }
            if difference == nil {
                (contents.young, contents.old) = (PackedAccountTables(), PackedAccountTables())
            }
            return dropped
        }
    }

    /// Everything that was in memory at that change has been looked at since (`missing`).
    func endTakeover(of publication: UInt64) {
        contents.withLock { if $0.clearedAt == publication { $0.takeover = nil } }
    }

    /// Which of the accounts are not in memory.
    func missing(_ accounts: ArraySlice<AccountID>) -> [AccountID] {
        accounts.map(Key.init)[...].inPortions(of: Self.portion).flatMap { portion in
            contents.withLock { contents in
                portion.filter { key in
                    takeOver(key.account.text.utf8.span, key.hash, in: &contents)
                    return !contents.young.holds(key.account.text.utf8.span, key.hash)
                        && !contents.old.holds(key.account.text.utf8.span, key.hash)
                }
            }
        }
        .map(\.account)
    }

    /// Keeps the packed accounts in memory, like `finishLoad`, as they were before a policy change
    /// dropped them; those that a commit has touched, or that do not fit, are loaded when asked
    /// for.
    ///
    /// - Returns: false if the policy has changed since the load began.
    func finishLoad(
        _ packedAccounts: [PackedAccount], begunAt publication: UInt64, asRecent isRecent: Bool
    ) -> Bool {
        let keyed = packedAccounts.map { (key: Key($0.account), packed: $0) }
        for portion in keyed[...].inPortions(of: Self.portion) {
            var dropped: [PackedAccountTables] = []
            contents.withLock { contents in
                guard contents.clearedAt <= publication else { return }
                for (key, packed) in portion
                where (contents.touched[key.account] ?? 0) <= publication {
                    if isRecent {
                        keep(packed, key.account.text.utf8.span, key.hash, in: &contents, &dropped)
                    } else if !contents.young.holds(key.account.text.utf8.span, key.hash),
                        contents.old.count < generation
                    {
                        contents.old.keep(packed, named: key.account.text.utf8.span, key.hash)
                    }
                }
            }
            release(dropped)
        }
        return contents.withLock { contents in
            endLoad(&contents)
            return contents.clearedAt <= publication
        }
    }

    /// - Parameter dropped: gets the generation to be freed.
    private func keep(
        _ packed: PackedAccount, _ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash,
        in contents: inout Contents, _ dropped: inout [PackedAccountTables]
    ) {
        contents.young.keep(packed, named: name, hash)
        guard contents.young.count >= generation else { return }
        dropped.append(contents.old)
        contents.old = contents.young
        contents.young = PackedAccountTables()
    }

    /// Freeing a generation takes as long as thousands of answers: done on another thread.
    private func release(_ packedAccounts: [PackedAccountTables]) {
        guard !packedAccounts.isEmpty else { return }
        // Without a thread it is the caller who frees them.
        _ = WorkerThread.start("usher-free", priority: .idle) { _ = packedAccounts.count }
    }

    private func endLoad(_ contents: inout Contents) {
        contents.loads -= 1
        if contents.loads == 0 { contents.touched.removeAll() }
    }
}

extension ArraySlice {
    /// The elements in order, in slices of that size.
    fileprivate func inPortions(of size: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: startIndex, to: endIndex, by: size).lazy.map { start in
            self[start..<Swift.min(start + size, endIndex)]
        }
    }
}
