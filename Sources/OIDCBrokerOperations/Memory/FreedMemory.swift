// SPDX-License-Identifier: Apache-2.0

package import Admission
import ServiceLifecycle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A service that returns freed memory to the system. The allocator of glibc keeps most of what many connections held:
/// between two pieces in use it returns nothing unless it is asked to (malloc_trim(3)), which takes tens of milliseconds.
/// Does nothing on other systems.
package struct FreedMemory: Service {
    /// The time between two looks.
    private static let interval = Duration.milliseconds(500)

    private let clients: MemoryBudget

    /// Creates the service of a process.
    /// - Parameter clients: What counts the memory that clients make the process hold.
    package init(heldBy clients: MemoryBudget) {
        self.clients = clients
    }

    package func run() async throws {
        guard let trim = Self.trim, let resident else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { await watch(from: resident) { _ = trim(0) } }
    }

    private func watch(from resident: Int, trim: () -> Void) async {
        var machine = StateMachine(resident: resident, held: clients.held)
        while (try? await Task.sleep(for: Self.interval)) != nil {
            guard let before = self.resident, machine.looked(resident: before, held: clients.held) else { continue }
            trim()
            machine.trimmed(resident: self.resident ?? before, held: clients.held)
        }
    }

    /// The function of the C library, which Swift's module of it does not have; `nil` where there is none.
    private static var trim: (@convention(c) (Int) -> CInt)? {
        dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self) }
    }

    /// The memory in RAM that is not of files, in bytes (`/proc/self/statm`, proc(5)); `nil` where it cannot be read.
    private var resident: Int? {
        let fields = ProcessFile.contents("/proc/self/statm")?.split(separator: UInt8(ascii: " ")) ?? []
        guard fields.count > 2, let all = Int(String(decoding: fields[1], as: UTF8.self)),
            let ofFiles = Int(String(decoding: fields[2], as: UTF8.self))
        else { return nil }
        return (all - ofFiles) * sysconf(CInt(_SC_PAGESIZE))
    }

    /// When memory is returned: whenever the process has grown by a step, or clients hold a step less than before, and
    /// once more when half a minute has passed since: what was still in use at the last step is free by then.
    struct StateMachine {
        /// The number of bytes of a step.
        static let step = 16 << 20
        /// The number of looks between the last step and the time after it.
        static let looksAfterStep = 60

        private var leastResident: Int
        private var mostHeld: Int
        /// The number of looks until memory is returned once more.
        private var remainingLooks: Int?

        init(resident: Int, held: Int) {
            (leastResident, mostHeld) = (resident, held)
        }

        /// Returns whether memory is to be returned now.
        /// - Parameters:
        ///   - resident: The memory of the process, in bytes.
        ///   - held: What clients hold of it, in bytes.
        mutating func looked(resident: Int, held: Int) -> Bool {
            leastResident = min(leastResident, resident)
            mostHeld = max(mostHeld, held)
            if resident - leastResident >= Self.step || mostHeld - held >= Self.step {
                remainingLooks = Self.looksAfterStep
                return true
            }
            guard let remaining = remainingLooks else { return false }
            remainingLooks = remaining > 1 ? remaining - 1 : nil
            return remaining == 1
        }

        /// Notes what is left after memory was returned.
        mutating func trimmed(resident: Int, held: Int) {
            (leastResident, mostHeld) = (resident, held)
        }
    }
}
