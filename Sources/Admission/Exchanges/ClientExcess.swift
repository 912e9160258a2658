// SPDX-License-Identifier: Apache-2.0

/// A limit that a client address has exceeded.
package struct ClientExcess: Sendable, Hashable {
    /// What there was too much of, in words of the log.
    package enum Kind: String, Sendable, Hashable {
        case failedExchanges = "exchanges that failed"
        case claims = "logins whose callback came"
        case exchangesAtOnce = "exchanges at once"
    }

    /// The kind of limit.
    package let kind: Kind
    /// The time after which another attempt may succeed, in seconds, at least 1.
    package let retryAfter: Int64

    /// - Parameter retryAfter: The time after which another attempt may succeed, in seconds, at least 1.
    package init(_ kind: Kind, retryAfter: Int64) {
        self.kind = kind
        self.retryAfter = retryAfter
    }
}
