// SPDX-License-Identifier: Apache-2.0

/// A load in which every user begins the next sign-in as soon as the previous one has ended.
///
/// The number of concurrent sign-ins is constant; their rate follows from their speed. A slow moment holds the load
/// back, so latencies of a closed loop do not show what a newly arriving user waits.
package struct ClosedLoop: LoadSchedule {
    private let begin: Int64
    private let end: Int64
    private var waiting: [Int]
    private var isOver = false

    /// Creates a load of a number of users between two times.
    package init(users: Int, begin: Int64, end: Int64) {
        self.begin = begin
        self.end = end
        waiting = Array(0..<max(users, 0))
    }

    package var wakeUp: Int64? { waiting.isEmpty || isOver ? nil : begin }

    package var isExhausted: Bool { isOver }

    package mutating func advance(to now: Int64) -> [Assignment] {
        if now >= end { isOver = true }
        guard now >= begin, !isOver else { return [] }
        defer { waiting.removeAll() }
        return waiting.map { Assignment(user: $0, intendedStart: now) }
    }

    package mutating func userBecameIdle(_ user: Int, at now: Int64) -> [Assignment] {
        if now >= end { isOver = true }
        guard !isOver else { return [] }
        guard now >= begin else {
            waiting.append(user)
            return []
        }
        return [Assignment(user: user, intendedStart: now)]
    }
}
