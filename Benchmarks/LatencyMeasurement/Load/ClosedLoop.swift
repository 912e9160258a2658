// SPDX-License-Identifier: Apache-2.0

/// Every user begins the next sign-in as soon as the last one has ended.
///
/// How many run at a time is constant; how many begin in a second follows from how fast they are. A slow moment holds the
/// load back with it: latencies of a closed loop say nothing about what an arriving stranger waits.
package struct ClosedLoop: LoadSchedule {
    private let begin: Int64
    private let end: Int64
    private var waiting: [Int]
    private var isOver = false

    /// Sign-ins by a number of users between two times.
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
