// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    public import Testing

    /// Says which attacks a test, or each test of a suite, is about; does nothing. `Documentation/Reports/Conformance.md`
    /// is made of it, by reading the sources: write the cases out, as `.attack(.mixUp, .loginCSRF)`.
    public struct AttackTrait: SuiteTrait, TestTrait {
        /// The attacks.
        public let attacks: [Attack]

        public var isRecursive: Bool { true }
    }

    extension Trait where Self == AttackTrait {
        /// The test is about these attacks.
        public static func attack(_ attacks: Attack...) -> Self { Self(attacks: attacks) }
    }
#endif
