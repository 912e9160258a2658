// SPDX-License-Identifier: Apache-2.0

/// What a target's processes took from the machine.
package struct TargetUsage: Sendable, Hashable, Codable {
    /// Processor seconds for 1,000 sign-ins, user and kernel together: milliseconds for each.
    package var secondsPerThousand: Double
    /// The user part.
    package var userSecondsPerThousand: Double
    /// The kernel's part.
    package var systemSecondsPerThousand: Double
    /// Processors that were busy with the target, on average.
    package var processors: Double
    /// Processors among those the target may use that were busy with something else; `nil` if that is not known.
    package var foreignProcessors: Double?
    /// The load generator's and the provider's own processor seconds for 1,000 sign-ins.
    package var ownSecondsPerThousand: Double
    /// Resident memory before the load, megabytes of 2^20 bytes, everything shared counted for each process.
    package var residentIdle: Double
    /// The most that was seen during the load.
    package var residentLoaded: Double
    /// After the load.
    package var residentAfter: Double
    /// Proportional set size before the load: what is shared is counted once.
    package var proportionalIdle: Double
    /// After the load.
    package var proportionalAfter: Double
    /// How many processes there were after the load.
    package var processes: Int
    /// How much more was resident at the end of the window than at its begin, under load both times; nil in results of
    /// tools that did not look.
    package var residentGrowth: Double?

    /// What was measured.
    package init(
        secondsPerThousand: Double,
        userSecondsPerThousand: Double,
        systemSecondsPerThousand: Double,
        processors: Double,
        foreignProcessors: Double?,
        ownSecondsPerThousand: Double,
        residentIdle: Double,
        residentLoaded: Double,
        residentAfter: Double,
        proportionalIdle: Double,
        proportionalAfter: Double,
        processes: Int,
        residentGrowth: Double? = nil
    ) {
        self.secondsPerThousand = secondsPerThousand
        self.userSecondsPerThousand = userSecondsPerThousand
        self.systemSecondsPerThousand = systemSecondsPerThousand
        self.processors = processors
        self.foreignProcessors = foreignProcessors
        self.ownSecondsPerThousand = ownSecondsPerThousand
        self.residentIdle = residentIdle
        self.residentLoaded = residentLoaded
        self.residentAfter = residentAfter
        self.proportionalIdle = proportionalIdle
        self.proportionalAfter = proportionalAfter
        self.processes = processes
        self.residentGrowth = residentGrowth
    }
}
