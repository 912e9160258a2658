// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerState
import OpenIDRelyingParty

/// The access of the endpoints to a ``SingleUseStore``. A store in memory answers at once. In a shared store, each
/// operation is an attempt of its own, which is repeated while the store is away.
struct SingleUseAccess: Sendable {
    /// The time by which a claim in a shared store outlives what it guards, in seconds: twice the tolerance between the
    /// clocks of two replicas. One of them may still open a state that has expired for the other.
    static let clockReserve = 2 * LoginState.clockSkew
    /// The timeout of an operation with which a person or an app waits for the end of a sign-in.
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
    /// What this process may have in a store outside of it; `nil` if that is not counted here.
    let budget: StoreBudget?
    private(set) var patience = Self.shortPatience
    /// The span under which those of operations stand; `nil` for none.
    private(set) var span: RequestSpan?

    init(_ backing: Backing, budget: StoreBudget? = nil) {
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
        case .immediate(let store): return .value(store.claim(key, owner: owner, seconds: max(1, seconds)))
        case .shared(let store):
            let claiming = store.claiming(key, now: eventLoop.now)
            let attempt = claiming.attempt
            let seconds = max(1, seconds) + reserve
            let entry = CountedEntry(
                kind: owner == nil ? .claims : .ownedClaims, provider: owner?.provider,
                bytes: StoreBudget.bytesOfClaim, seconds: seconds)
            return counting(
                entry, for: .claim, in: store, refused: { SingleUseClaim(refused: $0) },
                isEntered: { $0 == .won || $0 == .wonUnconfirmed }, on: eventLoop
            ) {
                store.run(
                    .claim, patience: patience, span: span, claiming: claiming,
                    confirmation: StandbyConfirmation<SingleUseClaim>.claim(standsAlone: standsAlone),
                    isFull: { $0 == .full }, on: eventLoop
                ) {
                    $0.claim(key, attempt: attempt, owner: owner, lifetime: .seconds(seconds), on: eventLoop)
                }
            }
        }
    }

    /// Stores a value for some seconds. See ``SingleUseStore/put(_:value:owner:lifetime:on:)``.
    /// - Parameter tellsUnconfirmed: Whether a value that standbys do not confirm in time is reported as
    ///   ``SingleUsePut/storedUnconfirmed``. Otherwise it counts as stored.
    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner? = nil, seconds: Int64,
        tellsUnconfirmed: Bool = false, on eventLoop: any EventLoop
    ) -> Eventual<SingleUsePut> {
        switch backing {
        case .immediate(let store): return .value(store.put(key, value: value, owner: owner, seconds: max(1, seconds)))
        case .shared(let store):
            let seconds = max(1, seconds)
            let entry = CountedEntry(
                kind: budget?.kind(ofValueFor: seconds) ?? .records, provider: owner?.provider,
                bytes: value.count + StoreBudget.overhead, seconds: seconds)
            return counting(
                entry, for: .put, in: store, refused: { SingleUsePut(refused: $0) },
                isEntered: { $0 == .stored || $0 == .storedUnconfirmed }, on: eventLoop
            ) {
                store.run(
                    .put, bytes: value.count, patience: patience, span: span,
                    confirmation: StandbyConfirmation<SingleUsePut>.put(tellsUnconfirmed: tellsUnconfirmed),
                    isFull: { $0 == .full }, on: eventLoop
                ) {
                    $0.put(key, value: value, owner: owner, lifetime: .seconds(seconds), on: eventLoop)
                }
            }
        }
    }

    /// Returns a value; `nil` if there is none. See ``SingleUseStore/read(_:on:)``.
    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> Eventual<[UInt8]?> {
        switch backing {
        case .immediate(let store): return .value(store.read(key))
        case .shared(let store):
            return .future(
                store.run(.read, patience: patience, span: span, on: eventLoop) { $0.read(key, on: eventLoop) })
        }
    }

    /// Removes a value if it is the given one. See ``SingleUseStore/remove(_:ifEqual:on:)``. It goes on counting in the
    /// budget of this process, unless that is told.
    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> Eventual<Void> {
        switch backing {
        case .immediate(let store): return .value(store.remove(key, ifEqual: value))
        case .shared(let store):
            return .future(
                store.run(.remove, bytes: value.count, patience: patience, span: span, on: eventLoop) {
                    $0.remove(key, ifEqual: value, on: eventLoop)
                })
        }
    }

    /// Returns whether a key is claimed. See ``SingleUseStore/isClaimed(_:on:)``.
    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> Eventual<Bool> {
        switch backing {
        case .immediate(let store): return .value(store.isClaimed(key))
        case .shared(let store):
            return .future(
                store.run(.isClaimed, patience: patience, span: span, on: eventLoop) {
                    $0.isClaimed(key, on: eventLoop)
                })
        }
    }
}
