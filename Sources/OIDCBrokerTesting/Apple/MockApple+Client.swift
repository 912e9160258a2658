// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// What a developer team registered: a Services ID for the web, or the bundle id of an app.
    public struct Client: Sendable, Hashable {
        /// The Services ID or bundle id.
        public var id: String
        /// The team, 10 characters.
        public var teamID: String
        /// The callback URLs of a Services ID, compared byte for byte; nil for a bundle id, which has none.
        public var redirectURIs: [String]?

        /// A Services ID.
        public static func servicesID(_ id: String, teamID: String, redirectURIs: [String] = []) -> Client {
            Client(id: id, teamID: teamID, redirectURIs: redirectURIs)
        }

        /// A bundle id.
        public static func bundleID(_ id: String, teamID: String) -> Client {
            Client(id: id, teamID: teamID, redirectURIs: nil)
        }
    }
}
