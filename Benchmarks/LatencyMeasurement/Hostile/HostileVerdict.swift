// SPDX-License-Identifier: Apache-2.0

/// The results of a user's sign-ins during hostile input and of the target's memory, and whether they are acceptable.
package struct HostileVerdict: Sendable, Hashable {
    /// The number of verified sign-ins.
    package private(set) var verified = 0
    /// The errors of other sign-ins and their numbers.
    package private(set) var failures: [String: Int] = [:]
    /// The slowest callback in nanoseconds, which is reported and never a reason to fail.
    package private(set) var slowestCallback: Int64 = 0
    /// The slowest start and callback together in nanoseconds, which is reported and never a reason to fail.
    package private(set) var slowestSignIn: Int64 = 0
    /// The largest resident memory of the target, in megabytes of 2^20 bytes.
    package private(set) var residentPeak = 0.0
    /// The limit on the resident memory, in megabytes.
    package let residentBound: Double
    /// The target's resident memory at the end, in megabytes, which is reported and never a reason to fail.
    package var residentAtEnd = 0.0
    /// The largest memory of the target's control group, in megabytes; `nil` if it is not known, as without a group.
    package private(set) var groupPeak: Double?
    /// The limit on the memory of the control group, in megabytes; `nil` for none.
    package let groupBound: Double?
    /// The minimum number of sign-ins, since a run without sign-ins proves nothing.
    package let expected: Int
    /// The inputs that were never sent, since a run without input proves nothing.
    package var unsent: [HostileInput] = []

    /// The limits that granted too much, or refused what they must grant.
    package private(set) var excesses: [String] = []

    /// Creates a verdict without results.
    package init(expected: Int, residentBound: Double, groupBound: Double? = nil) {
        self.expected = expected
        self.residentBound = residentBound
        self.groupBound = groupBound
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

    /// Adds a sample of the target's memory, in megabytes.
    package mutating func add(resident: Double) { residentPeak = max(residentPeak, resident) }

    /// Adds a sample of the memory of the target's control group, in megabytes.
    package mutating func add(group: Double) { groupPeak = max(groupPeak ?? 0, group) }

    /// Compares what was granted with the limits.
    ///
    /// - Parameters:
    ///   - counts: The results by kind.
    ///   - inputs: The kinds that were to be sent.
    ///   - seconds: The duration of the attack.
    ///   - networks: The number of networks from which accounts are made.
    ///   - connections: The number of concurrent connections from which they are made.
    package mutating func check(
        _ counts: [HostileInput: HostileCounts], of inputs: [HostileInput], seconds: Int, networks: Int,
        connections: Int
    ) {
        for input in inputs where input.signsIn {
            let responses = counts[input]?.responses ?? [:]
            let accepted = responses[.accepted, default: 0]
            // If nothing was accepted, the limit was not tested.
            if accepted == 0 { excesses.append("\(input.title): nothing was accepted") }
            if let most = input.mostAccepted(seconds: seconds, networks: networks, connections: connections),
                accepted > most
            {
                excesses.append("\(input.title): \(accepted) accepted, at most \(most) may be")
            }
            for response in [HostileCounts.Response.acceptedTooOften, .shutOut] {
                if let count = responses[response] { excesses.append("\(input.title): \(count) \(response.title)") }
            }
        }
    }

    /// The number of failed sign-ins.
    package var failed: Int { failures.values.reduce(0, +) }

    /// The reasons why the results are not acceptable; empty if they are.
    package var faults: [String] {
        var faults: [String] = []
        if verified == 0 { faults.append("no sign-in was verified") }
        if failed > 0 { faults.append("\(failed) of \(verified + failed) sign-ins failed") }
        if verified + failed < expected { faults.append("\(verified + failed) of \(expected) sign-ins ended") }
        if residentPeak <= 0 { faults.append("the target's memory is not known") }
        if residentPeak > residentBound {
            faults.append("\(Figure.rounded(residentPeak)) MB resident, above \(Figure.rounded(residentBound))")
        }
        if let groupBound {
            if let groupPeak {
                if groupPeak > groupBound {
                    faults.append(
                        "\(Figure.rounded(groupPeak)) MB in the control group, above \(Figure.rounded(groupBound))")
                }
            } else {
                faults.append("the control group's memory is not known")
            }
        }
        if !unsent.isEmpty { faults.append("never sent: " + unsent.map(\.title).joined(separator: ", ")) }
        return faults + excesses
    }
}
