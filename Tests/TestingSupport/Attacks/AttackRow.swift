// SPDX-License-Identifier: Apache-2.0

/// What there is to say of an ``Attack``.
public struct AttackRow: Sendable {
    /// Which one.
    public let attack: Attack
    /// ``Attack/title``.
    public let title: String
    /// ``Attack/expected``.
    public let expected: String
    /// ``Attack/reference``.
    public let reference: String

    init(_ attack: Attack, _ title: String, expected: String, reference: String) {
        self.attack = attack
        self.title = title
        self.expected = expected
        self.reference = reference
    }
}
