// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Those who follow who is signed in.
struct UserSubscribers: Sendable {
    private var continuations: [UUID: AsyncStream<User?>.Continuation] = [:]
    /// What was published last; `nil` if nothing was.
    private var published: User??

    /// Adds a subscriber, which gets the last published value.
    mutating func add(_ continuation: AsyncStream<User?>.Continuation, _ id: UUID) {
        if let published, case .terminated = continuation.yield(published) { return }
        continuations[id] = continuation
    }

    mutating func remove(_ id: UUID) {
        continuations[id] = nil
    }

    /// Tells all subscribers who is signed in, if that has changed.
    mutating func publish(_ user: User?) {
        if let published, published == user { return }
        published = .some(user)
        for (id, continuation) in continuations {
            // One that ended before it was added is still here.
            if case .terminated = continuation.yield(user) { continuations[id] = nil }
        }
    }

    func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}
