// SPDX-License-Identifier: Apache-2.0

extension MockApple {
    /// A client that a developer team registered: a Services ID for the web, or the bundle ID of an app.
    public struct Client: Sendable, Hashable {
        /// The Services ID or bundle ID.
        public var id: String
        /// The team ID, 10 characters.
        public var teamID: String
        /// The redirect URIs of a Services ID, compared byte for byte; `nil` for a bundle ID.
        public var redirectURIs: [String]?

        /// Creates a Services ID.
        public static func servicesID(_ id: String, teamID: String, redirectURIs: [String] = []) -> Client {
            Client(id: id, teamID: teamID, redirectURIs: redirectURIs)
        }

        /// Creates a bundle ID.
        public static func bundleID(_ id: String, teamID: String) -> Client {
            Client(id: id, teamID: teamID, redirectURIs: nil)
        }
    }
}
