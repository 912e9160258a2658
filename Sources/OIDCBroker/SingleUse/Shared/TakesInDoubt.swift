// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// A take of which nobody knows whether it got the value.
struct TakeInDoubt: Sendable {
    let claiming: Claiming
    /// The time for which its key is claimed, in seconds.
    let claimSeconds: Int64
    /// When its request ended.
    let begin: NIODeadline
    /// Whether its value may be under the second key. From then on no request goes on as it.
    var mayBeReturned = false

    /// When it is no longer asked about: a request may go on as it no longer, and a value that is returned ends.
    var end: NIODeadline { begin + min(AttemptsInDoubt.lifetime, .seconds(claimSeconds)) }

    /// The seconds for which a value that is returned is there.
    func seconds(at now: NIODeadline) -> Int64 { max(1, (end - now).nanoseconds / 1_000_000_000) }
}

/// Takes that may have got a value without hearing of it, because every answer was lost until their requests had ended.
///
/// This process asks on as each of them. What turns out to be its own is put under a second key, which the first one
/// yields, and removed from the first. Whoever finds the value taken takes it from there, at any replica. So it is given at
/// most once: claims are never given back, nobody was told of the first one, the second key is claimed as the first was,
/// and once a value may be under the second key no request goes on as its taker.
final class TakesInDoubt: Sendable {
    private let state = Mutex(StateMachine())

    /// Goes on with a take of a store.
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
        // Whoever probed it may have stopped with its event loop.
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
    /// Nothing is claimed that is not claimed: the take was not done then, and others may do it.
    private func ask(
        _ take: TakeInDoubt, of store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<TakeInDoubt?> {
        // A request may have gone on as it.
        guard take.mayBeReturned || store.withdraw(take.claiming) else { return .value(nil) }
        let access = SingleUseAccess(.shared(store))
        let key = take.claiming.key
        return access.read(key, on: eventLoop).flatMap(on: eventLoop) { value -> Eventual<TakeInDoubt?> in
            guard let value else {
                // It has ended, or a store that removes what is taken still has it for this attempt.
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

    /// Lets requests go on as a take, unless its value may be under the second key.
    private func release(_ take: TakeInDoubt, to store: SharedStore, on eventLoop: any EventLoop) {
        if !take.mayBeReturned { store.keepInDoubt(take.claiming, eventLoop.now) }
    }

    /// Puts the value of a take under the second key, and removes it from the first.
    private func giveBack(
        _ value: [UInt8], of take: TakeInDoubt, to store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<TakeInDoubt?> {
        let access = SingleUseAccess(.shared(store))
        let key = take.claiming.key
        // Others may take it once the claim has ended.
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
                // If it stays there, it ends by itself, and nobody gets it: its key is claimed.
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
    /// Returns whether a take claimed its key; `nil` if that is not known, or fewer standbys than asked know it.
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
