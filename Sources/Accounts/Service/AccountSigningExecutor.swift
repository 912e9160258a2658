// SPDX-License-Identifier: Apache-2.0

/// The threads that make RSA signatures, which take more than a millisecond.
public protocol AccountSigningExecutor: Sendable {
    /// Runs work soon, on a thread that may be busy for milliseconds.
    func execute(_ work: @escaping @Sendable () -> Void)
}

/// Signs on the threads of Swift concurrency.
public struct ConcurrentAccountSigningExecutor: AccountSigningExecutor {
    /// Creates an executor.
    public init() {}

    public func execute(_ work: @escaping @Sendable () -> Void) {
        Task.detached { work() }
    }
}
