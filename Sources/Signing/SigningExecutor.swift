// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The threads on which RSA signatures are made. One takes a millisecond or more, in which an event loop would serve no
/// other connection.
public protocol SigningExecutor: Sendable {
    /// Runs the work once, on a thread that is not an event loop's.
    ///
    /// The work does not block and takes milliseconds. It must be run in any case, because a response waits for it. A
    /// broker has at most 512 pieces of work submitted at any time, and so have the accounts.
    func execute(_ work: @escaping @Sendable () -> Void)
}

extension SigningExecutor {
    /// Runs the work and returns its result in a future of an event loop.
    package func run<Value: Sendable>(
        on eventLoop: any EventLoop, _ work: @escaping @Sendable () throws -> Value
    ) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self)
        execute { promise.completeWith(Result(catching: work)) }
        return promise.futureResult
    }
}

/// An executor that uses the global concurrent executor of Swift, which has a thread for each processor.
public struct ConcurrentSigningExecutor: SigningExecutor {
    /// Creates an executor.
    public init() {}

    public func execute(_ work: @escaping @Sendable () -> Void) {
        Task.detached { work() }
    }
}
