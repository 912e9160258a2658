// SPDX-License-Identifier: Apache-2.0

/// A source of client secrets, for a provider whose secrets are short-lived.
///
/// It is called on event loops, for each request that authenticates the client, and must not block.
package protocol ClientSecretSource: AnyObject, Sendable {
    /// Returns a secret that the provider currently accepts for a client ID.
    /// - Parameter now: The current time in seconds since 1970.
    /// - Throws: An error whose description says why there is no secret, and contains no secret.
    func clientSecret(forClientID clientID: String, now: Int64) throws -> Secret

    /// Tells the source whether the provider accepted a secret. It is `false` if the provider responded with
    /// `invalid_client`.
    func clientSecret(forClientID clientID: String, wasAccepted: Bool)
}

extension ClientSecretSource {
    package func clientSecret(forClientID clientID: String, wasAccepted: Bool) {}
}
