// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// SIGINT and SIGTERM, while a command runs that ends by itself after a part of its work. The second one ends the process
    /// at once.
    enum Interruption {
        fileprivate static let isAskedFor = Atomic(false)

        /// Runs a body, and notes meanwhile whether the process is to end.
        static func noting<Result>(_ body: () async throws -> Result) async rethrows -> Result {
            // It is made here, and not by the handler.
            isAskedFor.store(false, ordering: .relaxed)
            let numbers = [SIGINT, SIGTERM]
            let former = numbers.map { signal($0, noteInterruption) }
            defer { for (number, handler) in zip(numbers, former) { signal(number, handler) } }
            return try await body()
        }

        /// Throws `CancellationError` if the process is to end.
        static func check() throws {
            if isAskedFor.load(ordering: .relaxed) { throw CancellationError() }
        }
    }

    private func noteInterruption(_ number: Int32) {
        signal(number, SIG_DFL)
        Interruption.isAskedFor.store(true, ordering: .relaxed)
    }
#endif
