// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    public import Testing

    /// Tests run all at once. What waits for a response over a real socket has real deadlines, of 5 s a request: a hundred
    /// servers at the same time on two cores would meet them. Tests with this trait take turns, over all test targets.
    ///
    /// The time limit of a test counts while it waits for its turn, and the last turn comes minutes after the first:
    /// give it ten.
    public struct OnSockets: SuiteTrait, TestTrait, TestScoping {
        private static let turnstile = Turnstile(places: 4)

        public var isRecursive: Bool { true }

        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            guard testCase != nil else { return try await function() }
            try await Self.turnstile.pass { try await function() }
        }
    }

    extension Trait where Self == OnSockets {
        /// The test talks over real sockets, or keeps a core busy for seconds: it takes its turn.
        public static var onSockets: Self { Self() }
    }
#endif
