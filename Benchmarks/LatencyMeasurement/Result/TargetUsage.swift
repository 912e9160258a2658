// SPDX-License-Identifier: Apache-2.0

/// The resources that the processes of a target used.
package struct TargetUsage: Sendable, Hashable, Codable {
    /// The processor seconds per 1,000 sign-ins (milliseconds for each), user and kernel together.
    package var secondsPerThousand: Double
    /// The part in user mode.
    package var userSecondsPerThousand: Double
    /// The part in the kernel.
    package var systemSecondsPerThousand: Double
    /// The average number of processors that the target kept busy.
    package var processors: Double
    /// The average number of the target's processors that were busy with something else; `nil` if it is unknown.
    package var foreignProcessors: Double?
    /// The processor seconds of the load generator and the provider per 1,000 sign-ins.
    package var ownSecondsPerThousand: Double
    /// The resident memory before the load in megabytes of 2^20 bytes; shared memory is counted for each process.
    package var residentIdle: Double
    /// The largest resident memory during the load.
    package var residentLoaded: Double
    /// The resident memory after the load.
    package var residentAfter: Double
    /// The proportional set size before the load; shared memory is counted once.
    package var proportionalIdle: Double
    /// The proportional set size after the load.
    package var proportionalAfter: Double
    /// The number of processes after the load.
    package var processes: Int
    /// The growth of resident memory from the beginning to the end of the window, both under load; `nil` in results of
    /// older versions.
    package var residentGrowth: Double?
    /// The growth of resident memory with each idle connection of a browser, in kilobytes of 1,024 bytes; `nil` if there
    /// were none.
    package var kilobytesPerConnection: Double?

    /// Creates a usage.
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
