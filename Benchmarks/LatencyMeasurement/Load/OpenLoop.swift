// SPDX-License-Identifier: Apache-2.0

/// A load in which sign-ins arrive at a constant rate, whether or not earlier ones have ended.
///
/// The intended start of each follows from its number alone. A sign-in that waits for a free user, or that the load
/// generator begins late, keeps it: the wait counts as latency, so that a stall of the target affects all sign-ins that
/// arrive during it and not just one (no coordinated omission).
package struct OpenLoop: LoadSchedule {
    private let begin: Int64
    private let interval: Double
    private let arrivals: Int
    private var given = 0
    private var idle: [Int]

    /// Creates arrivals between two times.
    ///
    /// - Parameters:
    ///   - users: The maximum number of concurrent sign-ins. Further arrivals wait.
    ///   - rate: The arrivals per second; none if it is not positive.
    ///   - begin: The time of the first arrival.
    ///   - end: The time at and after which there are no arrivals.
    package init(users: Int, rate: Double, begin: Int64, end: Int64) {
        self.begin = begin
        let length = end > begin ? Double(end - begin) : 0
        if rate > 0, rate.isFinite {
            interval = 1_000_000_000 / rate
            // Slightly less, so that a rate without an exact binary representation makes no arrival at the end itself.
            arrivals = Int(max(min(length / interval, 1_000_000_000) - 1e-6, 0).rounded(.up))
        } else {
            interval = 0
            arrivals = 0
        }
        // The user that was busy last goes first, since its connection is the least likely to have been closed.
        idle = Array((0..<max(users, 0)).reversed())
    }

    /// The intended start of an arrival.
    package func intendedStart(ofArrival number: Int) -> Int64 {
        begin + Int64((Double(number) * interval).rounded())
    }

    /// The total number of arrivals.
    package var arrivalCount: Int { arrivals }

    /// The number of arrivals that were due at a time and wait for a user.
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
