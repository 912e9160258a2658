// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The access of a request to a store outside of this process: what this process may have there, how long the request
/// waits, and what its operations are traced under. Each operation is an attempt of its own, which is repeated while the
/// store is away.
package struct SharedStoreAccess: Sendable {
    let store: SharedStore
    /// What this process may have in the store; `nil` if that is not counted here.
    let budget: StoreBudget?
    /// The timeout of each operation.
    let patience: TimeAmount
    let trace: (any StoreTrace)?

    /// Creates the access of a request.
    /// - Parameters:
    ///   - budget: What this process may have in the store; `nil` if that is not counted here.
    ///   - patience: The timeout of each operation.
    ///   - trace: What operations are traced under; `nil` for nothing.
    package init(
        to store: SharedStore, budget: StoreBudget?, patience: TimeAmount, trace: (any StoreTrace)?
    ) {
        (self.store, self.budget, self.patience, self.trace) = (store, budget, patience, trace)
    }

    /// Claims a key for some seconds. See ``SingleUseStore/claim(_:attempt:owner:lifetime:on:)``. A claim that standbys
    /// do not confirm in time is won, unless it stands alone: then it fails.
    /// - Parameter standsAlone: Whether nothing but the claim keeps from happening twice what it guards.
    package func claim(
        _ key: SingleUseKey, owner: SingleUseOwner?, seconds: Int64, standsAlone: Bool, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        let claiming = store.claiming(key, now: eventLoop.now)
        let entry = CountedEntry(
            kind: owner == nil ? .claims : .ownedClaims, provider: owner?.provider, bytes: StoreBudget.bytesOfClaim,
            seconds: seconds)
        return counting(
            entry, for: .claim, refused: { SingleUseClaim(refused: $0) },
            isEntered: { $0 == .won || $0 == .wonUnconfirmed }, on: eventLoop
        ) {
            store.run(
                .claim, patience: patience, trace: trace, claiming: claiming,
                confirmation: StandbyConfirmation<SingleUseClaim>.claim(standsAlone: standsAlone),
                isFull: { $0 == .full }, on: eventLoop
            ) {
                $0.claim(key, attempt: claiming.attempt, owner: owner, lifetime: .seconds(seconds), on: eventLoop)
            }
        }
    }

    /// Stores a value for some seconds. See ``SingleUseStore/put(_:value:owner:lifetime:on:)``. One that standbys do not
    /// confirm in time counts as stored.
    /// - Parameter isSpare: Whether a sign-in works without it, so that it has its own part of the store.
    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64, isSpare: Bool = false,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        let entry = CountedEntry(
            kind: isSpare ? .spareRecords : budget?.kind(ofValueFor: seconds) ?? .records, provider: owner?.provider,
            bytes: value.count + StoreBudget.overhead, seconds: seconds)
        return counting(
            entry, for: .put, refused: { SingleUsePut(refused: $0) },
            isEntered: { $0 == .stored || $0 == .storedUnconfirmed }, on: eventLoop
        ) {
            store.run(
                .put, bytes: Self.held(value), patience: patience, trace: trace,
                confirmation: StandbyConfirmation<SingleUsePut>.put, isFull: { $0 == .full }, on: eventLoop
            ) {
                $0.put(key, value: value, owner: owner, lifetime: .seconds(seconds), on: eventLoop)
            }
        }
    }

    /// Takes a value, whose key is claimed for some seconds. See ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    /// - Parameter kind: The part of a store in which the value counts.
    package func take(
        _ key: SingleUseKey, claimSeconds seconds: Int64, from kind: SingleUseStoreUsage.Kind,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        let claiming = store.claiming(key, now: eventLoop.now)
        let take = store.run(
            .take, patience: patience, trace: trace, claiming: claiming,
            confirmation: StandbyConfirmation<SingleUseTake>.take, on: eventLoop
        ) {
            $0.take(key, attempt: claiming.attempt, claimLifetime: .seconds(seconds), on: eventLoop)
        }
        take.whenSuccess { take in
            guard let value = take.value else { return }
            budget?.took(kind, bytes: value.count, claimedFor: seconds)
            // A store keeps an unconfirmed value for this attempt to ask again, which is over.
            guard !take.isConfirmed else { return }
            _ = remove(key, ifEqual: value, on: eventLoop)
        }
        return take
    }

    /// Returns a value; `nil` if there is none. See ``SingleUseStore/read(_:on:)``.
    package func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        store.run(.read, patience: patience, trace: trace, on: eventLoop) { $0.read(key, on: eventLoop) }
    }

    /// Removes a value if it is the given one. See ``SingleUseStore/remove(_:ifEqual:on:)``. It goes on counting in the
    /// budget of this process, unless that is told.
    package func remove(
        _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        store.run(.remove, bytes: Self.held(value), patience: patience, trace: trace, on: eventLoop) {
            $0.remove(key, ifEqual: value, on: eventLoop)
        }
    }

    /// Returns whether a key is claimed. See ``SingleUseStore/isClaimed(_:on:)``.
    package func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        store.run(.isClaimed, patience: patience, trace: trace, on: eventLoop) { $0.isClaimed(key, on: eventLoop) }
    }

    /// The memory of a value on its way to the store, in bytes: the value, and the command that contains it.
    private static func held(_ value: [UInt8]) -> Int { 2 * value.count }

    /// An entry of the store, as the budget counts it.
    private struct CountedEntry: Sendable {
        let kind: SingleUseStoreUsage.Kind
        /// Its provider; `nil` if it counts for none.
        let provider: SingleUseKey?
        /// Its memory, in bytes.
        let bytes: Int
        /// Its lifetime, in seconds.
        let seconds: Int64
    }

    /// Counts an entry while it may be in the store. One whose answer was lost may be.
    /// - Parameters:
    ///   - refused: What the result is if the budget has no room.
    ///   - isEntered: Whether a result says that the entry is in the store.
    ///   - run: Puts it there.
    private func counting<Value: Sendable>(
        _ entry: CountedEntry, for operation: SharedStore.Operation, refused: (SingleUseRoom.Refusal) -> Value,
        isEntered: @escaping @Sendable (Value) -> Bool, on eventLoop: any EventLoop,
        _ run: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard let budget else { return run() }
        switch budget.begin(entry.kind, of: entry.provider, bytes: entry.bytes, seconds: entry.seconds) {
        case .failure(let refusal):
            if entry.kind != .spareRecords { store.reportOverBudget(operation, eventLoop.now) }
            return eventLoop.makeSucceededFuture(refused(refusal))
        case .success(let counted):
            let result = run()
            result.whenComplete { result in
                switch result {
                case .success(let value): if !isEntered(value) { budget.end(counted) }
                case .failure(let error): if (error as? SharedStoreError)?.isRefusal == true { budget.end(counted) }
                }
            }
            return result
        }
    }
}
