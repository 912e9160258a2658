// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountIdentity.HandedOutToken {
    /// Creates the record of a token that a client gets.
    /// - Parameters:
    ///   - token: The token. Only its hash is stored.
    ///   - expiry: The time from which the token is not valid, in seconds since 1970.
    public init(_ token: String, expiry: Int64) {
        self.init(hash: Hash.sha256(token.utf8), expiry: expiry)
    }

    /// Whether a received text is the token, and the token is still valid.
    /// - Parameters:
    ///   - token: The text.
    ///   - now: The current time, in seconds since 1970.
    public func isValid(_ token: String, now: Int64) -> Bool {
        ConstantTime.equal(hash, Hash.sha256(token.utf8)) && now < expiry
    }
}
