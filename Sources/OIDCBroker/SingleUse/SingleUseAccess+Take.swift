// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension SingleUseAccess {
    /// The time for which whoever finds a value taken waits to see whether its taker heard of it.
    static let returnPatience = TimeAmount.seconds(2)
    /// The times between two looks, each twice the one before.
    static let returnPauses: ClosedRange<Int64> = 50...400
    /// How often a value is returned at most: whoever takes a returned one may not hear of that either.
    static let mostReturns = 3

    /// Takes a value, whose key is claimed for some seconds. See ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    ///
    /// A take whose answer was lost goes on in the background, see ``TakesInDoubt``. Whoever finds a value taken that is
    /// still there waits for what becomes of that. If it stays, its taker is gone, and the value counts as absent: nobody
    /// got it.
    func take(_ key: SingleUseKey, claimSeconds: Int64, on eventLoop: any EventLoop) -> Eventual<SingleUseTake> {
        switch backing {
        case .immediate(let store): .value(store.take(key, claimSeconds: claimSeconds))
        case .shared(let store): take(key, returns: 0, claimSeconds, from: store, on: eventLoop)
        }
    }

    private func take(
        _ key: SingleUseKey, returns: Int, _ claimSeconds: Int64, from store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<SingleUseTake> {
        let claiming = store.claiming(key, now: eventLoop.now)
        let attempt = claiming.attempt
        let lifetime = Duration.seconds(claimSeconds + Self.clockReserve)
        let take = store.run(
            .take, patience: patience, span: span, claiming: claiming,
            confirmation: StandbyConfirmation<SingleUseTake>.take, on: eventLoop
        ) {
            $0.take(key, attempt: attempt, claimLifetime: lifetime, on: eventLoop)
        }
        guard returns < Self.mostReturns else { return .future(take) }
        take.whenFailure { _ in store.goOn(as: claiming, claimSeconds: claimSeconds, on: eventLoop) }
        return Eventual.future(take).flatMap(on: eventLoop) { take -> Eventual<SingleUseTake> in
            guard take.isOfAnother else { return .value(take) }
            return takeReturned(
                key, returns: returns, claimSeconds, pause: Self.returnPauses.lowerBound,
                before: eventLoop.now + Self.returnPatience, from: store, on: eventLoop)
        }
    }

    /// Takes a value that its first taker returned.
    ///
    /// The value is under its own key until it is under the second one, so it is looked at first whether it is there:
    /// whoever finds it under neither knows that its taker has it.
    private func takeReturned(
        _ key: SingleUseKey, returns: Int, _ claimSeconds: Int64, pause: Int64, before end: NIODeadline,
        from store: SharedStore, on eventLoop: any EventLoop
    ) -> Eventual<SingleUseTake> {
        // Most of the time of the request is over.
        let access = within(min(patience, Self.shortPatience))
        return access.read(key, on: eventLoop).flatMap(on: eventLoop) { value -> Eventual<SingleUseTake> in
            access.take(key.ofReturnedValue, returns: returns + 1, claimSeconds, from: store, on: eventLoop)
                .flatMap(on: eventLoop) { take -> Eventual<SingleUseTake> in
                    guard take.isAbsent else { return .value(take) }
                    guard value != nil else { return .value(.taken) }
                    guard eventLoop.now < end else { return .value(.absent) }
                    let next = eventLoop.flatScheduleTask(in: .milliseconds(pause)) {
                        takeReturned(
                            key, returns: returns, claimSeconds, pause: min(2 * pause, Self.returnPauses.upperBound),
                            before: end, from: store, on: eventLoop
                        ).future(on: eventLoop)
                    }
                    return .future(next.futureResult)
                }
        }
    }

    /// Returns the value that a take would get now, without claiming its key; `nil` if there is none.
    func readBeforeTake(_ key: SingleUseKey, on eventLoop: any EventLoop) -> Eventual<[UInt8]?> {
        read(key, returns: 0, on: eventLoop)
    }

    private func read(_ key: SingleUseKey, returns: Int, on eventLoop: any EventLoop) -> Eventual<[UInt8]?> {
        read(key, on: eventLoop).flatMap(on: eventLoop) { value -> Eventual<[UInt8]?> in
            guard value == nil, shared != nil, returns < Self.mostReturns else { return .value(value) }
            return isClaimed(key, on: eventLoop).flatMap(on: eventLoop) { isClaimed in
                isClaimed ? read(key.ofReturnedValue, returns: returns + 1, on: eventLoop) : .value(nil)
            }
        }
    }
}

extension SingleUseTake {
    /// Whether another attempt took the value.
    fileprivate var isOfAnother: Bool { value == nil && isClaimed }
    /// Whether there is no value, and nobody took one.
    fileprivate var isAbsent: Bool { value == nil && !isClaimed }
}

extension SingleUseKey {
    /// The key under which a value is returned that was taken from this one.
    var ofReturnedValue: SingleUseKey { SingleUseKey(.returnedValue, bytes) }
}
