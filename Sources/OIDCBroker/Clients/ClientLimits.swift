// SPDX-License-Identifier: Apache-2.0

/// How much of what all clients share one ``ClientAddress`` may take, at one provider; of IPv6 a /56 may take four
/// times as much and a /48 eight times. They are constants: no key changes them.
package struct ClientLimits: Sendable, Hashable {
    /// Requests to the provider under way at once.
    package var exchanges = 128
    /// Marks of logins whose callback came, within their lifetime: ten to twenty minutes.
    package var marks = 4_096
    /// Requests to the provider that failed, of one kind, within ``failureTurn`` and up to twice as long. Those under
    /// way count as well, unless as many succeeded in that time.
    package var failures = 30
    /// At all providers together a client may have so many times as much under way, and as many marks.
    package var providers = 4
    /// How long failures are counted at least, seconds.
    package var failureTurn: Int64 = 30
    /// How long marks are counted at least, seconds: as long as they live.
    package var markTurn: Int64 = LoginState.lifetime
    /// The most keys that are counted in one turn of one table. Those beyond are let through: refusing them would let a
    /// client with many addresses refuse all others.
    package var networks = 65_536

    package init() {}
}
