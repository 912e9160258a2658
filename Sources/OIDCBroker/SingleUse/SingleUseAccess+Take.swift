// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension SingleUseAccess {
    /// How long a request that finds a value taken waits for the value to be returned.
    static let returnPatience = TimeAmount.seconds(4)
    /// The pauses between two reads, in milliseconds. Each is twice the one before.
    static let returnPauses: ClosedRange<Int64> = 50...400
    /// The maximum number of times that a value is returned: the answer to the take of a returned value may be lost as
    /// well.
    static let mostReturns = 3

    /// Takes a value, whose key is claimed for some seconds. See ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    ///
    /// A take whose answer was lost continues in the background, see ``TakesInDoubt``. A request that finds a value
    /// taken, but still stored, waits until the value is removed or returned. If it is neither, its taker is gone, and
    /// the value counts as absent: no request got it.
    /// - Parameter kind: The part of a store in which the value counts.
    func take(
        _ key: SingleUseKey, claimSeconds: Int64, from kind: SingleUseStoreUsage.Kind = .records,
        on eventLoop: any EventLoop
    ) -> Eventual<SingleUseTake> {
        switch backing {
        case .immediate(let store): return .value(store.take(key, claimSeconds: claimSeconds))
        case .shared(let store):
            let end = eventLoop.now + patience + Self.returnPatience
            return take(Taking(key: key, claimSeconds: claimSeconds, kind: kind, end: end, store: store), on: eventLoop)
        }
    }

    /// A take of a value from its own key, or of the value that such a take returned.
    private struct Taking: Sendable {
        var key: SingleUseKey
        let claimSeconds: Int64
        let kind: SingleUseStoreUsage.Kind
        /// When the request stops waiting for the value to be returned.
        var end: NIODeadline
        let store: SharedStore
        /// How often the value was returned.
        var returns = 0

        /// The take of the value that the taker of this one returned.
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
            guard let value = take.value else { return }
            budget?.took(taking.kind, bytes: value.count, claimedFor: taking.claimSeconds + Self.clockReserve)
            // A store keeps an unconfirmed value for this attempt to ask again, which is over.
            guard !take.isConfirmed else { return }
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

    /// The same store, with the timeout of an operation of which a request makes several.
    private var brief: SingleUseAccess { within(min(patience, Self.shortPatience)) }

    /// Takes a value that its first taker returned.
    ///
    /// The value is removed from its own key only after it was stored under the second one. So its own key is read
    /// first: a value that is under neither has reached its taker.
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
