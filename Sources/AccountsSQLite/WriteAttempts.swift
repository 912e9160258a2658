// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Which of the writes of a group are tried, together or alone, and which are refused: a state machine without threads
/// and without a database. Writes are named by their positions in the group; each is answered once.
struct WriteAttempts: Sendable {
    /// Why a transaction failed.
    enum Failure: Equatable, Sendable {
        /// Nothing would go better alone: no transaction began, or another process holds the database. Each attempt might
        /// wait for it again, and the writes behind this group wait meanwhile.
        case ofAll
        /// One of the writes may be the cause, as where the disk is full.
        case ofOne
    }

    /// What comes next.
    enum Step: Equatable, Sendable {
        /// These are refused: their callers have given up, and they must not take effect now.
        case refuse([Int])
        /// These are tried in one transaction. Those that are late once it began are refused nevertheless.
        case attempt([Int])
        /// All are answered.
        case done
    }

    private let deadlines: [NIODeadline]
    private var pending: [Int]
    private var isAlone = false

    /// - Parameter deadlines: The time of each write from which it is late.
    init(deadlines: [NIODeadline]) {
        self.deadlines = deadlines
        pending = Array(deadlines.indices)
    }

    func isLate(_ write: Int, at now: NIODeadline) -> Bool {
        deadlines[write] <= now
    }

    /// Begins the next step, which ``committed()`` or ``failed(_:)`` ends if it is an attempt.
    mutating func next(at now: NIODeadline) -> Step {
        let late = pending.filter { isLate($0, at: now) }
        guard late.isEmpty else {
            pending = pending.filter { !isLate($0, at: now) }
            return .refuse(late)
        }
        return pending.isEmpty ? .done : .attempt(tried)
    }

    /// The transaction of an attempt was committed: all its writes are answered.
    mutating func committed() {
        pending = Array(pending.dropFirst(tried.count))
    }

    /// The transaction of an attempt failed.
    /// - Returns: The writes that are refused with its error. The others are still to be tried.
    mutating func failed(_ failure: Failure) -> [Int] {
        let refused: [Int]
        switch failure {
        case .ofAll: refused = pending
        case .ofOne where tried.count > 1:
            isAlone = true
            refused = []
        case .ofOne: refused = tried
        }
        pending = Array(pending.dropFirst(refused.count))
        return refused
    }

    private var tried: [Int] { isAlone ? Array(pending.prefix(1)) : pending }
}
