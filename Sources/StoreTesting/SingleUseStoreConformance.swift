// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import SingleUse

/// The requirements of every `SingleUseStore`, as checks that any test framework can run.
///
///     let failures = try await SingleUseStoreConformance.failures({ MyStore() }, on: group) {
///         try await Task.sleep(for: $0)
///     }
///     #expect(failures.isEmpty)
///
/// Time passes three times, by two seconds each; a store with a clock of its own can move that instead of waiting. The
/// capacity of a store is not checked, only that it never drops a live entry for a new one. What a store does when an
/// answer is lost on its way is between the store and its engine, and for its own tests.
public enum SingleUseStoreConformance {
    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - make: A closure that creates a store for each check. It must hold at least 2,000 entries. The keys of the
    ///     checks are random, so the stores may share an engine.
    ///   - group: The event loops on which the store is called.
    ///   - remembersAttempts: Whether an attempt that asks again gets the same answer, which only a store may do without
    ///     that loses no answers.
    ///   - pass: A closure that lets time pass for the store.
    /// - Returns: A sentence for each requirement that the store does not meet; empty if it meets all.
    /// - Throws: The first error of the store itself.
    public static func failures(
        _ make: () async throws -> any SingleUseStore,
        on group: any EventLoopGroup,
        remembersAttempts: Bool = true,
        passing pass: @escaping (Duration) async throws -> Void
    ) async throws -> [String] {
        var checks = claims + values + takes + parallel
        if remembersAttempts { checks += attempts }
        var failures: [String] = []
        for check in checks {
            var examination = Examination(store: try await make(), group: group, pass: pass)
            try await check(&examination)
            failures += examination.failures
        }
        return failures
    }

    /// A check, which records what it finds.
    typealias Check = (inout Examination) async throws -> Void

    /// A lifetime that ends while time passes.
    static let short: Duration = .seconds(1)
    /// A lifetime that does not.
    static let long: Duration = .seconds(600)
}
