// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OIDCBrokerTesting
package import SingleUse
import Synchronization

/// A correct store, which remembers attempts, or one with one planted fault, to see that the conformance suite finds it.
package final class ReferenceStore: SingleUseStore {
    /// A planted fault.
    package enum Fault: String, CaseIterable, Sendable {
        case everybodyWins, winnerLosesAgain, loserWinsAgain, repetitionProlongs, loserProlongs, claimsNeverEnd
        case claimsAreEvicted, ownersClaimApart, isClaimedSaysNo, isClaimedSaysYes
        case firstValueStays, valueClaims, valuesNeverEnd, laterValueEndsEarly, longestIsCut, tooLongIsStored
        case tooLongRemoves, readRemoves, removesAnything, removesNothing, removalReleases
        case takeReads, takenIsAbsent, absentIsClaimed, takesClaimed, claimOfValueEndsWithIt, claimOfValueEndsEarly
        case claimOfValueStays, keysAreCut
    }

    private struct Claim {
        var attempt: SingleUseAttempt
        var end: Int64
        var hasOwner = false
        /// The value that was taken with it, which the same attempt gets again.
        var taken: [UInt8]?
    }

    private struct Entries {
        var claims: [SingleUseKey: Claim] = [:]
        var values: [SingleUseKey: (value: [UInt8], end: Int64)] = [:]
        var order: [SingleUseKey] = []
    }

    private let fault: Fault?
    private let clock: TestClock
    private let entries = Mutex(Entries())

    /// - Parameters:
    ///   - fault: Its fault; `nil` for none.
    ///   - clock: The clock that measures lifetimes.
    package init(_ fault: Fault? = nil, clock: TestClock = TestClock()) {
        self.fault = fault
        self.clock = clock
    }

    /// Forgets every entry.
    package func forget() { entries.withLock { $0 = Entries() } }

    private func end(_ lifetime: Duration) -> Int64 { clock.now() + lifetime.components.seconds }

    private func place(_ key: SingleUseKey) -> SingleUseKey {
        fault == .keysAreCut ? SingleUseKey(bytes: Array(key.bytes[..<31]) + [0]) : key
    }

    package func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        let key = place(key)
        return eventLoop.makeSucceededFuture(
            entries.withLock { entries -> SingleUseClaim in
                if let known = entries.claims[key], known.end > clock.now() || fault == .claimsNeverEnd {
                    if fault == .ownersClaimApart, known.hasOwner != (owner != nil) { return .won }
                    let isOurs = known.attempt == attempt
                    if fault == .loserProlongs && !isOurs || fault == .repetitionProlongs && isOurs {
                        entries.claims[key]?.end = max(known.end, end(lifetime))
                    }
                    if fault == .loserWinsAgain, !isOurs, entries.order.contains(key) {
                        entries.claims[key]?.attempt = attempt
                    }
                    if fault == .everybodyWins { return .won }
                    return isOurs && fault != .winnerLosesAgain ? .won : .lost
                }
                entries.claims[key] = Claim(attempt: attempt, end: end(lifetime), hasOwner: owner != nil)
                entries.order.append(key)
                if fault == .claimsAreEvicted, entries.order.count > 500 {
                    entries.claims[entries.order.removeFirst()] = nil
                }
                return .won
            })
    }

    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        let key = place(key)
        return eventLoop.makeSucceededFuture(
            entries.withLock { entries -> SingleUsePut in
                if value.count > SingleUseKey.longestValue, fault != .tooLongIsStored {
                    if fault == .tooLongRemoves { entries.values[key] = nil }
                    return .full
                }
                let known = entries.values[key]
                if fault == .firstValueStays, known != nil { return .stored }
                let isCut = fault == .longestIsCut && value.count == SingleUseKey.longestValue
                let end = fault == .laterValueEndsEarly ? known?.end ?? end(lifetime) : end(lifetime)
                entries.values[key] = (isCut ? Array(value.dropLast()) : value, end)
                if fault == .valueClaims { entries.claims[key] = Claim(attempt: SingleUseAttempt(), end: end) }
                return .stored
            })
    }

    package func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        let key = place(key)
        return eventLoop.makeSucceededFuture(
            entries.withLock { entries -> SingleUseTake in
                let claim = entries.claims[key]
                let isClaimed = claim.map { $0.end > clock.now() } ?? false
                if isClaimed, claim?.attempt == attempt, let taken = claim?.taken { return .value(taken) }
                if isClaimed, fault != .takesClaimed || entries.values[key] == nil {
                    return fault == .takenIsAbsent ? .absent : .taken
                }
                guard let (value, valueEnd) = entries.values[key], valueEnd > clock.now() || fault == .valuesNeverEnd
                else {
                    if fault == .absentIsClaimed {
                        entries.claims[key] = Claim(attempt: attempt, end: end(claimLifetime))
                    }
                    return .absent
                }
                if fault == .takeReads { return .value(value) }
                entries.values[key] = nil
                let claimEnd =
                    switch fault {
                    case .claimOfValueEndsWithIt: valueEnd
                    case .claimOfValueEndsEarly: end(claimLifetime)
                    case .claimOfValueStays: Int64.max
                    default: max(valueEnd, end(claimLifetime))
                    }
                entries.claims[key] = Claim(attempt: attempt, end: claimEnd, taken: value)
                return .value(value)
            })
    }

    package func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let key = place(key)
        return eventLoop.makeSucceededFuture(
            entries.withLock { entries in
                guard let known = entries.values[key], known.end > clock.now() || fault == .valuesNeverEnd else {
                    return nil
                }
                if fault == .readRemoves { entries.values[key] = nil }
                return known.value
            })
    }

    package func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<
        Void
    > {
        let key = place(key)
        entries.withLock { entries in
            if fault == .removalReleases { entries.claims[key] = nil }
            guard fault != .removesNothing, fault == .removesAnything || entries.values[key]?.value == value else {
                return
            }
            entries.values[key] = nil
        }
        return eventLoop.makeSucceededVoidFuture()
    }

    package func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let key = place(key)
        return eventLoop.makeSucceededFuture(
            entries.withLock { entries in
                if fault == .isClaimedSaysNo { return false }
                if fault == .isClaimedSaysYes { return true }
                return entries.claims[key].map { $0.end > clock.now() } ?? false
            })
    }
}
