// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// The access of the endpoints to a ``SingleUseStore``. A store in memory answers at once. In a shared store, each
/// operation is an attempt of its own, which is repeated while the store is away.
struct SingleUseAccess: Sendable {
    /// The time by which a claim in a shared store outlives what it guards, in seconds: twice the tolerance between the
    /// clocks of two replicas. One of them may still open a state that has expired for the other.
    static let clockReserve = 2 * LoginState.clockSkew
    /// The timeout of an operation with which a user or an app waits for the end of a sign-in.
    static let longPatience = TimeAmount.seconds(5)
    /// The timeout of every other operation.
    static let shortPatience = TimeAmount.seconds(2)
    /// The timeout of a read that only chooses the words of a page.
    static let briefPatience = TimeAmount.milliseconds(500)

    /// The store.
    enum Backing: Sendable {
        /// It decides without waiting.
        case immediate(InMemorySingleUseStore)
        /// It is outside of this process.
        case shared(SharedStore)
    }

    let backing: Backing
    /// What says that the store in memory is full; `nil` for a store outside of this process, which does so itself.
    private let fullLog: FullStoreLog?
    /// What this process may have in a store outside of it; `nil` if that is not counted here.
    let budget: StoreBudget?
    private(set) var patience = Self.shortPatience
    /// The span under which those of operations stand; `nil` for none.
    private(set) var span: RequestSpan?

    init(_ backing: Backing, budget: StoreBudget? = nil, fullLog: FullStoreLog? = nil) {
        self.fullLog = fullLog
        self.backing = backing
        self.budget = budget
    }

    /// The same store, with another timeout for each operation.
    func within(_ patience: TimeAmount) -> SingleUseAccess {
        var access = self
        access.patience = patience
        return access
    }

    /// The same store, with the spans of its operations under that of a request; `nil` for none.
    func traced(under span: RequestSpan?) -> SingleUseAccess {
        var access = self
        access.span = span
        return access
    }

    /// The store in memory; `nil` if it is outside of this process.
    var inMemory: InMemorySingleUseStore? {
        if case .immediate(let store) = backing { store } else { nil }
    }

    /// The store outside of this process; `nil` if it is in memory.
    var shared: SharedStore? {
        if case .shared(let store) = backing { store } else { nil }
    }

    private func access(to store: SharedStore) -> SharedStoreAccess {
        SharedStoreAccess(to: store, budget: budget, patience: patience, trace: span)
    }

    /// Claims a key for some seconds. See ``SingleUseStore/claim(_:attempt:owner:lifetime:on:)``. A claim that standbys
    /// do not confirm in time is won, unless it stands alone: then it fails.
    /// - Parameters:
    ///   - reserve: The seconds for which the claim lives longer in a shared store.
    ///   - standsAlone: Whether nothing but the claim keeps from happening twice what it guards.
    func claim(
        _ key: SingleUseKey, owner: SingleUseOwner? = nil, seconds: Int64, reserve: Int64 = Self.clockReserve,
        standsAlone: Bool = false, on eventLoop: any EventLoop
    ) -> Eventual<SingleUseClaim> {
        switch backing {
        case .immediate(let store):
            let claim = store.claim(key, owner: owner, seconds: max(1, seconds))
            if claim == .full { fullLog?.record(owner == nil ? .claims : .ownedClaims, at: eventLoop.now) }
            return .value(claim)
        case .shared(let store):
            return .future(
                access(to: store).claim(
                    key, owner: owner, seconds: max(1, seconds) + reserve, standsAlone: standsAlone, on: eventLoop))
        }
    }

    /// Stores a value for some seconds. See ``SingleUseStore/put(_:value:owner:lifetime:on:)``.
    /// One that standbys do not confirm in time counts as stored.
    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner? = nil, seconds: Int64,
        on eventLoop: any EventLoop
    ) -> Eventual<SingleUsePut> {
        let seconds = max(1, seconds)
        switch backing {
        case .immediate(let store):
            let put = store.put(key, value: value, owner: owner, seconds: seconds)
            if put == .full { fullLog?.record(store.part(ofRecordFor: seconds), at: eventLoop.now) }
            return .value(put)
        case .shared(let store):
            return .future(access(to: store).put(key, value: value, owner: owner, seconds: seconds, on: eventLoop))
        }
    }

    /// Stores an optional value. A sign-in works without it. It is stored while its own part of the store has space; a
    /// full part is not an error.
    func putSpare(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64, on eventLoop: any EventLoop
    ) -> Eventual<SingleUsePut> {
        switch backing {
        case .immediate(let store): .value(store.putSpare(key, value: value, owner: owner, seconds: max(1, seconds)))
        case .shared(let store):
            .future(
                access(to: store).put(
                    key, value: value, owner: owner, seconds: max(1, seconds), isSpare: true, on: eventLoop))
        }
    }

    /// Takes a value, whose key is claimed for some seconds. See ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    /// - Parameter kind: The part of a store in which the value counts.
    func take(
        _ key: SingleUseKey, claimSeconds: Int64, from kind: SingleUseStoreUsage.Kind = .records,
        on eventLoop: any EventLoop
    ) -> Eventual<SingleUseTake> {
        switch backing {
        case .immediate(let store):
            let take = store.take(key, claimSeconds: claimSeconds)
            if take.value != nil, !take.isClaimed { fullLog?.record(.claims, at: eventLoop.now) }
            return .value(take)
        case .shared(let store):
            return .future(
                access(to: store).take(key, claimSeconds: claimSeconds + Self.clockReserve, from: kind, on: eventLoop))
        }
    }

    /// Returns a value; `nil` if there is none. See ``SingleUseStore/read(_:on:)``.
    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> Eventual<[UInt8]?> {
        switch backing {
        case .immediate(let store): .value(store.read(key))
        case .shared(let store): .future(access(to: store).read(key, on: eventLoop))
        }
    }

    /// Removes a value if it is the given one. See ``SingleUseStore/remove(_:ifEqual:on:)``. It goes on counting in the
    /// budget of this process, unless that is told.
    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> Eventual<Void> {
        switch backing {
        case .immediate(let store): .value(store.remove(key, ifEqual: value))
        case .shared(let store): .future(access(to: store).remove(key, ifEqual: value, on: eventLoop))
        }
    }

    /// Returns whether a key is claimed. See ``SingleUseStore/isClaimed(_:on:)``.
    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> Eventual<Bool> {
        switch backing {
        case .immediate(let store): .value(store.isClaimed(key))
        case .shared(let store): .future(access(to: store).isClaimed(key, on: eventLoop))
        }
    }
}
