// SPDX-License-Identifier: Apache-2.0

/// Sign-ins arrive at a constant rate, whether or not earlier ones have ended.
///
/// Each has an intended start that follows from its number alone. One that no user was free for, or that the load
/// generator came too late for, keeps it: the wait counts as latency, so that a stall of the target is seen by all who
/// arrive in it and not by one (no coordinated omission).
package struct OpenLoop: LoadSchedule {
    private let begin: Int64
    private let interval: Double
    private let arrivals: Int
    private var given = 0
    private var idle: [Int]

    /// Arrivals between two times.
    ///
    /// - Parameters:
    ///   - users: How many sign-ins may run at a time; more arrivals wait for one of them.
    ///   - rate: Arrivals in a second; none where it is not positive.
    ///   - begin: The first arrival.
    ///   - end: No arrival at or after it.
    package init(users: Int, rate: Double, begin: Int64, end: Int64) {
        self.begin = begin
        let length = end > begin ? Double(end - begin) : 0
        if rate > 0, rate.isFinite {
            interval = 1_000_000_000 / rate
            // A hair less, so that a rate without an exact binary form makes no arrival at the end itself.
            arrivals = Int(max(min(length / interval, 1_000_000_000) - 1e-6, 0).rounded(.up))
        } else {
            interval = 0
            arrivals = 0
        }
        // The user who was last busy goes first: its connection is the least likely to have been closed.
        idle = Array((0..<max(users, 0)).reversed())
    }

    /// When an arrival was meant to begin.
    package func intendedStart(ofArrival number: Int) -> Int64 {
        begin + Int64((Double(number) * interval).rounded())
    }

    /// How many arrivals there are in all.
    package var arrivalCount: Int { arrivals }

    /// How many arrivals were due at a time and wait for a user.
    package func backlog(at now: Int64) -> Int {
        guard now >= begin, interval > 0 else { return 0 }
        let due = min(Int(Double(now - begin) / interval) + 1, arrivals)
        return max(due - given, 0)
    }

    package var wakeUp: Int64? {
        guard given < arrivals, !idle.isEmpty else { return nil }
        return intendedStart(ofArrival: given)
    }

    package var isExhausted: Bool { given >= arrivals }

    package mutating func advance(to now: Int64) -> [Assignment] {
        var due: [Assignment] = []
        while given < arrivals {
            let intended = intendedStart(ofArrival: given)
            guard intended <= now, let user = idle.popLast() else { break }
            due.append(Assignment(user: user, intendedStart: intended))
            given += 1
        }
        return due
    }

    package mutating func userBecameIdle(_ user: Int, at now: Int64) -> [Assignment] {
        idle.append(user)
        return advance(to: now)
    }
}
