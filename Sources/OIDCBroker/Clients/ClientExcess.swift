// SPDX-License-Identifier: Apache-2.0

/// What a client address has too much of.
package struct ClientExcess: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case failedExchanges = "exchanges that failed"
        case marks = "logins whose callback came"
        case exchangesAtOnce = "exchanges at once"
    }

    /// Of what.
    package let kind: Kind
    /// After how many seconds it is worth trying again: 1 or more.
    package let retryAfter: Int64

    package init(_ kind: Kind, retryAfter: Int64) {
        self.kind = kind
        self.retryAfter = retryAfter
    }
}
