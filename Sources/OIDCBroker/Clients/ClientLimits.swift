// SPDX-License-Identifier: Apache-2.0

/// How much of what everybody shares one ``ClientAddress`` may take. Constants: no key changes them; a test of what
/// happens beyond them makes smaller ones.
package struct ClientLimits: Sendable, Hashable {
    /// Requests to providers under way at once for returns and pushed starts.
    package var exchanges = 128
    /// Marks of logins that returned, within their lifetime: ten to twenty minutes.
    package var marks = 4_096
    /// Exchanges at one provider that failed, within ``failureTurn`` and up to twice as long.
    package var failures = 30
    /// How long failures are counted at least, seconds.
    package var failureTurn: Int64 = 30
    /// How long marks are counted at least, seconds: as long as they live.
    package var markTurn: Int64 = LoginState.lifetime
    /// The most addresses that are counted in one turn. Those beyond are let through: to refuse them would let whoever
    /// has many addresses refuse everybody.
    package var addresses = 65_536

    package init() {}
}
