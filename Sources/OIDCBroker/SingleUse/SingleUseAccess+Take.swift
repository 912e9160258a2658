// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension SingleUseAccess {
    /// The time for which whoever finds a value taken waits to see whether its taker heard of it.
    static let returnPatience = TimeAmount.seconds(4)
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
        case .immediate(let store): return .value(store.take(key, claimSeconds: claimSeconds))
        case .shared(let store):
            let end = eventLoop.now + patience + Self.returnPatience
            return take(Taking(key: key, claimSeconds: claimSeconds, end: end, store: store), on: eventLoop)
        }
    }

    /// A take, or one of what it returned.
    private struct Taking: Sendable {
        var key: SingleUseKey
        let claimSeconds: Int64
        /// When nobody looks any more whether the value was returned.
        var end: NIODeadline
        let store: SharedStore
        /// How often the value was returned.
        var returns = 0

        /// The take of the value that this one's taker returned.
        var ofReturned: Self {
            var next = self
            next.key = key.ofReturnedValue
            next.returns += 1
            return next
        }
    }

    private func take(_ taking: Taking, on eventLoop: any EventLoop) -> Eventual<SingleUseTake> {
        let (key, store) = (taking.key, taking.store)
        let claiming = store.claiming(key, now: eventLoop.now)
        let attempt = claiming.attempt
        let lifetime = Duration.seconds(taking.claimSeconds + Self.clockReserve)
        let take = store.run(
            .take, patience: patience, span: span, claiming: claiming,
            confirmation: StandbyConfirmation<SingleUseTake>.take(isFirst: taking.returns == 0), on: eventLoop
        ) {
            $0.take(key, attempt: attempt, claimLifetime: lifetime, on: eventLoop)
        }
        take.whenSuccess { take in
            // A store leaves it there for the same attempt to ask again, which it does not any more.
            guard let value = take.value, !take.isConfirmed else { return }
            _ = remove(key, ifEqual: value, on: eventLoop)
        }
        guard taking.returns < Self.mostReturns else { return .future(take) }
        take.whenFailure { _ in store.goOn(as: claiming, claimSeconds: taking.claimSeconds, on: eventLoop) }
        return Eventual.future(take).flatMap(on: eventLoop) { take -> Eventual<SingleUseTake> in
            guard take.isOfAnother else { return .value(take) }
            var taking = taking
            taking.end = min(taking.end, eventLoop.now + Self.returnPatience)
            return brief.takeReturned(taking, pause: Self.returnPauses.lowerBound, on: eventLoop)
        }
    }

    /// The same store, with the time of an operation of which a request makes several.
    private var brief: SingleUseAccess { within(min(patience, Self.shortPatience)) }

    /// Takes a value that its first taker returned.
    ///
    /// The value is under its own key until it is under the second one, so it is looked at first whether it is there:
    /// whoever finds it under neither knows that its taker has it.
    private func takeReturned(
        _ taking: Taking, pause: Int64, on eventLoop: any EventLoop
    ) -> Eventual<SingleUseTake> {
        read(taking.key, on: eventLoop).flatMap(on: eventLoop) { value -> Eventual<SingleUseTake> in
            take(taking.ofReturned, on: eventLoop).flatMap(on: eventLoop) { take -> Eventual<SingleUseTake> in
                guard take.isAbsent else { return .value(take) }
                guard value != nil else { return .value(.taken) }
                guard eventLoop.now < taking.end else { return .value(.absent) }
                let next = eventLoop.flatScheduleTask(in: .milliseconds(pause)) {
                    takeReturned(taking, pause: min(2 * pause, Self.returnPauses.upperBound), on: eventLoop)
                        .future(on: eventLoop)
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
            return brief.isClaimed(key, on: eventLoop).flatMap(on: eventLoop) { isClaimed in
                isClaimed ? brief.read(key.ofReturnedValue, returns: returns + 1, on: eventLoop) : .value(nil)
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
