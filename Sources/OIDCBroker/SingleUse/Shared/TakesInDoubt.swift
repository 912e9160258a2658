// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// A take in doubt: it is not known whether it got the value.
struct TakeInDoubt: Sendable {
    let claiming: Claiming
    /// The time for which its key is claimed, in seconds.
    let claimSeconds: Int64
    /// When its request ended.
    let begin: NIODeadline
    /// Whether its value may be under the second key. From then on no request continues it.
    var mayBeReturned = false

    /// When it is given up: no request continues its attempt any longer, and a returned value expires.
    var end: NIODeadline { begin + min(AttemptsInDoubt.lifetime, .seconds(claimSeconds)) }

    /// The lifetime of a returned value, in seconds.
    func seconds(at now: NIODeadline) -> Int64 { max(1, (end - now).nanoseconds / 1_000_000_000) }
}

/// Takes in doubt: each may have taken a value although every answer was lost before its request ended.
///
/// This process keeps asking as each attempt. If the attempt has the claim, its value is returned: stored under a
/// second key, which is derived from the first, and removed from the first. A request at any replica that finds the
/// value taken then takes it from the second key. The value is still handed out at most once: claims are never
/// released, the first take was never reported as successful, the second key is claimed as the first was, and once a
/// value may be under the second key, no request continues the first take.
final class TakesInDoubt: Sendable {
    private let state = Mutex(StateMachine())

    /// Adds a take of a store.
    func add(_ take: TakeInDoubt, of store: SharedStore, on eventLoop: any EventLoop) {
        guard let first = state.withLock({ $0.add(take, eventLoop.now) }) else { return }
        wait(first, of: store, on: eventLoop)
    }

    private func wait(_ look: StateMachine.Look, of store: SharedStore, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(deadline: look.time) { [weak store] in
            if let store { self.look(look, of: store, on: eventLoop) }
        }
    }

    private func look(_ look: StateMachine.Look, of store: SharedStore, on eventLoop: any EventLoop) {
        let isAway = store.isAway
        // The event loop that probed it may have stopped.
        if isAway { store.probe(on: eventLoop) }
        switch state.withLock({ $0.look(look, eventLoop.now, isAway: isAway) }) {
        case .rest: break
        case .wait(let next): wait(next, of: store, on: eventLoop)
        case .ask(let takes, let round):
            for take in takes {
                ask(take, of: store, on: eventLoop).future(on: eventLoop).whenSuccess { remaining in
                    let next = self.state.withLock { $0.end(take, remaining, round: round, eventLoop.now) }
                    if let next { self.wait(next, of: store, on: eventLoop) }
                }
            }
        }
    }

    /// Asks once; returns the take if it is still in doubt, or may be returned, and `nil` if it is over. It never fails.
    ///
    /// A key without a claim is not claimed here: the take did not happen, and another request may do it.
    private func ask(
        _ take: TakeInDoubt, of store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<TakeInDoubt?> {
        // A request may have continued it.
        guard take.mayBeReturned || store.withdraw(take.claiming) else { return .value(nil) }
        let access = SingleUseAccess(.shared(store))
        let key = take.claiming.key
        return access.read(key, on: eventLoop).flatMap(on: eventLoop) { value -> Eventual<TakeInDoubt?> in
            guard let value else {
                // It has expired, or a store that removes what is taken still has it for this attempt.
                self.release(take, to: store, on: eventLoop)
                return .value(nil)
            }
            return access.isClaimed(key, on: eventLoop).flatMap(on: eventLoop) { isClaimed -> Eventual<Bool?> in
                guard isClaimed, eventLoop.now < take.end else { return .value(nil) }
                return store.isClaimed(for: take, on: eventLoop)
            }.recover { _ in nil }.flatMap(on: eventLoop) { isOwn -> Eventual<TakeInDoubt?> in
                switch isOwn {
                case true?: return self.giveBack(value, of: take, to: store, on: eventLoop)
                case false?: return .value(nil)
                case nil:
                    self.release(take, to: store, on: eventLoop)
                    return .value(take)
                }
            }
        } failure: { _ in
            self.release(take, to: store, on: eventLoop)
            return .value(take)
        }
    }

    /// Lets requests continue a take, unless its value may be under the second key.
    private func release(_ take: TakeInDoubt, to store: SharedStore, on eventLoop: any EventLoop) {
        if !take.mayBeReturned { store.keepInDoubt(take.claiming, eventLoop.now) }
    }

    /// Puts the value of a take under the second key, and removes it from the first.
    private func giveBack(
        _ value: [UInt8], of take: TakeInDoubt, to store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<TakeInDoubt?> {
        let access = SingleUseAccess(.shared(store))
        let key = take.claiming.key
        // Another request may take it once the claim has expired.
        guard eventLoop.now < take.end else { return .value(nil) }
        var returned = take
        returned.mayBeReturned = true
        let inDoubt = returned
        return access.put(
            key.ofReturnedValue, value: value, seconds: take.seconds(at: eventLoop.now), tellsUnconfirmed: true,
            on: eventLoop
        ).flatMap(on: eventLoop) { put -> Eventual<TakeInDoubt?> in
            switch put {
            case .stored:
                // If it is not removed, it expires there, and no request gets it: its key is claimed.
                return access.remove(key, ifEqual: value, on: eventLoop).flatMapThrowing { () -> TakeInDoubt? in nil }
                    .recover { _ in nil }
            case .storedUnconfirmed:
                return .value(inDoubt)
            default:
                // Nothing was changed.
                self.release(take, to: store, on: eventLoop)
                return .value(take)
            }
        }.recover { _ in inDoubt }
    }
}

extension SharedStore {
    /// Returns whether a take claimed its key; `nil` if that is not known, or fewer standbys than required confirm it.
    fileprivate func isClaimed(for take: TakeInDoubt, on eventLoop: any EventLoop) -> Eventual<Bool?> {
        let lifetime = Duration.seconds(take.claimSeconds + SingleUseAccess.clockReserve)
        let claim = run(
            .claim, patience: SingleUseAccess.shortPatience,
            confirmation: StandbyConfirmation<SingleUseClaim>.claim(standsAlone: true), on: eventLoop
        ) {
            $0.claim(take.claiming.key, attempt: take.claiming.attempt, owner: nil, lifetime: lifetime, on: eventLoop)
        }
        return Eventual.future(claim).flatMapThrowing { claim -> Bool? in
            switch claim {
            case .won: true
            case .lost: false
            default: nil
            }
        }.recover { _ in nil }
    }
}
