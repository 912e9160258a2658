// SPDX-License-Identifier: Apache-2.0

/// The machine and tools with which a result was made.
package struct MachineDescription: Sendable, Hashable, Codable {
    /// The name and number of the processors.
    package var processor: String
    /// The memory in gigabytes of 2^30 bytes.
    package var memory: Double
    /// The system and the kernel.
    package var system: String
    /// The compiler that built this tool.
    package var compiler: String
    /// The processors of the target, as `taskset` accepts them; empty if it was not pinned.
    package var targetProcessors: String
    /// The processors of this tool; empty if it was not pinned.
    package var ownProcessors: String
    /// The load average before the measurement.
    package var loadAverage: String
    /// Whether the processors were kept from idling; `nil` if it is unknown.
    package var isKeptAwake: Bool?

    /// Creates a description.
    package init(
        processor: String, memory: Double, system: String, compiler: String, targetProcessors: String,
        ownProcessors: String, loadAverage: String, isKeptAwake: Bool? = nil
    ) {
        self.processor = processor
        self.memory = memory
        self.system = system
        self.compiler = compiler
        self.targetProcessors = targetProcessors
        self.ownProcessors = ownProcessors
        self.loadAverage = loadAverage
        self.isKeptAwake = isKeptAwake
    }
}
