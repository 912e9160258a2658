// SPDX-License-Identifier: Apache-2.0

/// Makes a client's secret anew whenever one is needed, for a provider whose secrets do not last.
///
/// Asked on event loops, for each request that proves itself: a response must be at hand or quick to make.
package protocol ClientSecretSource: Sendable {
    /// A secret that the provider accepts now from this client id.
    /// - Parameter now: seconds since 1970.
    /// - Throws: an error whose description says, without any secret in it, why there is none.
    func clientSecret(forClientID clientID: String, now: Int64) throws -> Secret

    /// What the provider made of such a secret: false where it answered `invalid_client`.
    func clientSecret(forClientID clientID: String, wasAccepted: Bool)
}

extension ClientSecretSource {
    package func clientSecret(forClientID clientID: String, wasAccepted: Bool) {}
}
