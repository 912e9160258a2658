// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// The numbers of operations so far.
    public struct Counts: Sendable, Hashable {
        /// The number of exchanged codes.
        public var codeExchanges = 0
        /// The number of refresh tokens that were exchanged for access tokens.
        public var refreshes = 0
        /// The number of different client secrets that were accepted, which is the number of signatures that clients
        /// made.
        public var clientSecrets = 0
        /// The number of requests that were refused because of their client secret.
        public var refusedClientSecrets = 0
        /// The number of valid tokens that were revoked.
        public var revocations = 0
        /// The number of responses of the migration endpoint.
        public var migrations = 0
        /// The number of first consents, with which `user` is sent.
        public var firstConsents = 0
    }
}
