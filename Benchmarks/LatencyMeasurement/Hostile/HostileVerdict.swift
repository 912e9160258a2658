// SPDX-License-Identifier: Apache-2.0

/// What one more person saw while hostile input came, what it did to the target's memory, and whether that will do.
package struct HostileVerdict: Sendable, Hashable {
    /// How many sign-ins were verified.
    package private(set) var verified = 0
    /// What went wrong with the others, and how often.
    package private(set) var failures: [String: Int] = [:]
    /// The slowest callback, nanoseconds: reported, and never a reason to fail.
    package private(set) var slowestCallback: Int64 = 0
    /// The slowest start and callback together, nanoseconds: likewise.
    package private(set) var slowestSignIn: Int64 = 0
    /// The most resident memory that the target had, megabytes of 2^20 bytes.
    package private(set) var residentPeak = 0.0
    /// What it may have, megabytes.
    package let residentBound: Double
    /// How many sign-ins there must be: a person who has gone proves nothing.
    package let expected: Int
    /// Inputs that were never sent: a driver that does nothing proves nothing.
    package var unsent: [HostileInput] = []

    /// Nothing seen yet.
    package init(expected: Int, residentBound: Double) {
        self.expected = expected
        self.residentBound = residentBound
    }

    /// Counts a sign-in.
    package mutating func add(_ report: PersonReport) {
        switch report {
        case .ready: break
        case .signedIn(let callback, let whole):
            verified += 1
            slowestCallback = max(slowestCallback, callback)
            slowestSignIn = max(slowestSignIn, whole)
        case .failed(let kind): failures[kind, default: 0] += 1
        }
    }

    /// Takes a sample of the target's memory, megabytes.
    package mutating func add(resident: Double) { residentPeak = max(residentPeak, resident) }

    /// How many sign-ins failed.
    package var failed: Int { failures.values.reduce(0, +) }

    /// Why it will not do; empty where it will.
    package var faults: [String] {
        var faults: [String] = []
        if verified == 0 { faults.append("no sign-in was verified") }
        if failed > 0 { faults.append("\(failed) of \(verified + failed) sign-ins failed") }
        if verified + failed < expected { faults.append("\(verified + failed) of \(expected) sign-ins ended") }
        if residentPeak <= 0 { faults.append("the target's memory is not known") }
        if residentPeak > residentBound {
            faults.append("\(Figure.rounded(residentPeak)) MB resident, above \(Figure.rounded(residentBound))")
        }
        if !unsent.isEmpty { faults.append("never sent: " + unsent.map(\.title).joined(separator: ", ")) }
        return faults
    }
}
