// SPDX-License-Identifier: Apache-2.0

/// The refreshes of ID tokens: one at a time for a session, which serves all who may have its token. A state machine
/// without tasks.
struct Refreshes<Handle: Sendable>: Sendable {
    /// The action of a caller that needs a new ID token.
    enum Step: Sendable {
        /// Waits for the refresh that is under way, whose token will do.
        case join(Handle)
        /// Waits until the refresh that is under way is over, whatever comes of it, and asks again.
        case follow(Handle)
        /// Begins one.
        case begin
    }

    private struct Running: Sendable {
        let number: Int
        let generation: Int
        let handle: Handle
    }

    private var running: Running?
    /// The number of refreshes that have begun, which is the number of the last one.
    private(set) var count = 0

    /// The number of the refresh that begins next.
    var nextNumber: Int { count + 1 }

    /// Decides for a caller that needs a new ID token.
    /// - Parameters:
    ///   - generation: The number of the session.
    ///   - mark: The number of the last refresh that is too old, since it began before the caller asked for a token
    ///     with the latest changes; `nil` if none is.
    func step(_ generation: Int, after mark: Int?) -> Step {
        guard let running, running.generation == generation else { return .begin }
        guard let mark, running.number <= mark else { return .join(running.handle) }
        return .follow(running.handle)
    }

    /// A refresh of a session begins, with ``nextNumber``.
    mutating func begin(_ handle: Handle, _ generation: Int) {
        count += 1
        running = Running(number: count, generation: generation, handle: handle)
    }

    /// A refresh is over.
    mutating func end(_ number: Int) {
        if running?.number == number { running = nil }
    }
}

extension Refreshes.Step: Equatable where Handle: Equatable {}
