// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A reserve of descriptors, given up when the process or the system has no others. A sign-in under way needs some, for
/// a connection to the provider or a file of the store. So does the runtime: Dispatch on Linux sometimes reads `/proc`, and
/// ends the process if it cannot.
struct SpareDescriptors: ~Copyable {
    /// The number of descriptors.
    static let count = 8

    private var descriptors: [CInt] = []

    /// Takes the descriptors, if at least one more is free.
    /// - Returns: The error number where the process or the system has too few; then none is held. Otherwise `nil`, also if
    ///   the device that is opened for them does not exist.
    mutating func take() -> CInt? {
        while descriptors.count <= Self.count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor < 0 {
                let error = errno
                guard [EMFILE, ENFILE, ENOMEM].contains(error) else { return nil }
                giveUp()
                return error
            }
            descriptors.append(descriptor)
        }
        _ = descriptors.popLast().map { close($0) }
        return nil
    }

    /// Gives all of them up.
    mutating func giveUp() {
        for descriptor in descriptors { _ = close(descriptor) }
        descriptors = []
    }

    deinit {
        for descriptor in descriptors { _ = close(descriptor) }
    }
}
