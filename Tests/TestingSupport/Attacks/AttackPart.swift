// SPDX-License-Identifier: Apache-2.0

/// Attacks on the same thing.
public struct AttackPart: Sendable {
    /// On what.
    public let title: String
    /// In the order of ``Attack``'s cases.
    public let rows: [AttackRow]

    init(_ title: String, _ rows: [AttackRow]) {
        self.title = title
        self.rows = rows
    }

    /// All of them: each attack stands in one part.
    public static let all = [
        responses, logins, flow, apps, signatures, tokens, providers, apple,
    ]
}
