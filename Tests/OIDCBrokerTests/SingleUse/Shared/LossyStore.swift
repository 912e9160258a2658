// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import Synchronization

/// One replica's way to an engine that several share, on which answers are lost when it is told so. As in a real engine, a
/// taken value stays until its taker has heard of it, and nothing expires.
final class LossyStore: SingleUseStore, BoundedSingleUseStore {
    struct Lost: Error {}

    enum Behavior: CaseIterable, Sendable {
        case answers
        /// It does nothing.
        case fails
        /// It does what it was asked, and the answer is lost.
        case losesAnswers
    }

    /// What replicas share.
    final class Engine: Sendable {
        fileprivate let entries = Mutex(Entries())

        var values: Int { entries.withLock { $0.values.count } }
    }

    fileprivate struct Entries: Sendable {
        var claims: [SingleUseKey: SingleUseAttempt] = [:]
        var values: [SingleUseKey: [UInt8]] = [:]

        mutating func claim(_ key: SingleUseKey, _ attempt: SingleUseAttempt) -> SingleUseClaim {
            guard let known = claims[key] else {
                claims[key] = attempt
                return .won
            }
            return known == attempt ? .won : .lost
        }

        mutating func take(_ key: SingleUseKey, _ attempt: SingleUseAttempt) -> SingleUseTake {
            guard let value = values[key] else { return claims[key] == nil ? .absent : .taken }
            return claim(key, attempt) == .won ? .value(value) : .taken
        }
    }

    private let engine: Engine
    private let behavior = Mutex(Behavior.answers)

    init(_ engine: Engine) { self.engine = engine }

    func behave(_ behavior: Behavior) { self.behavior.withLock { $0 = behavior } }

    private func ask<Value: Sendable>(
        on eventLoop: any EventLoop, _ body: (inout Entries) -> Value,
        heard: (inout Entries, Value) -> Void = { _, _ in }
    ) -> EventLoopFuture<Value> {
        let behavior = behavior.withLock { $0 }
        guard behavior != .fails else { return eventLoop.makeFailedFuture(Lost()) }
        let value = engine.entries.withLock { entries in
            let value = body(&entries)
            if behavior == .answers { heard(&entries, value) }
            return value
        }
        return behavior == .answers ? eventLoop.makeSucceededFuture(value) : eventLoop.makeFailedFuture(Lost())
    }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        ask(on: eventLoop) { $0.claim(key, attempt) }
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        ask(on: eventLoop) {
            $0.values[key] = value
            return .stored
        }
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        ask(on: eventLoop) {
            $0.take(key, attempt)
        } heard: { entries, take in
            if take.value != nil { entries.values[key] = nil }
        }
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        ask(on: eventLoop) { $0.values[key] }
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        ask(on: eventLoop) { if $0.values[key] == value { $0.values[key] = nil } }
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        ask(on: eventLoop) { $0.claims[key] != nil }
    }
}
