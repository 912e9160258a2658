// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the process of an exit test is told, by its environment: it captures values from Swift 6.3 on only.
///
/// Tests that pass arguments run one after the other, since an environment belongs to the whole process.
package enum KilledProcessArguments {
    /// Passes arguments to the process that is made next.
    package static func pass(_ arguments: [String]) {
        for (index, argument) in arguments.enumerated() { setenv(name(index), argument, 1) }
    }

    /// Returns an argument that was passed; empty for none.
    package static func received(_ index: Int) -> String {
        getenv(name(index)).map { String(cString: $0) } ?? ""
    }

    private static func name(_ index: Int) -> String { "KILLED_PROCESS_ARGUMENT_\(index)" }
}
