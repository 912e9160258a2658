// SPDX-License-Identifier: Apache-2.0

/// Where and with what a result was made.
package struct MachineDescription: Sendable, Hashable, Codable {
    /// The processor's name, and how many there are.
    package var processor: String
    /// Memory, gigabytes of 2^30 bytes.
    package var memory: Double
    /// System and kernel.
    package var system: String
    /// The compiler that built this tool.
    package var compiler: String
    /// The target's processors and the tool's own, as `taskset` takes them; empty where they were not pinned.
    package var targetProcessors: String
    /// The tool's own.
    package var ownProcessors: String
    /// The load average before.
    package var loadAverage: String
    /// Whether the processors were kept from idling; `nil` if nobody has said.
    package var isKeptAwake: Bool?

    /// A machine.
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
