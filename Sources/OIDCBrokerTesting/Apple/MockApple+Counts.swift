// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// What was done so far, counted.
    public struct Counts: Sendable, Hashable {
        /// Codes that were exchanged.
        public var codeExchanges = 0
        /// Refresh tokens that gave new access tokens.
        public var refreshes = 0
        /// Different client secrets that were accepted: as many as a client made signatures.
        public var clientSecrets = 0
        /// Requests that were refused for their client secret.
        public var refusedClientSecrets = 0
        /// Tokens that were alive and are revoked.
        public var revocations = 0
        /// Responses of the migration endpoint.
        public var migrations = 0
        /// Times that a person gave consent first, and `user` was sent or handed out.
        public var firstConsents = 0
    }
}
