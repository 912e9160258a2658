// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing
import TestingSupport

/// A provider of an ``Installation``, and what the user does there: the authorization response the browser brings
/// back.
extension TestProvider {
    convenience init(name: String, clock: TestClock) throws {
        try self.init(
            issuer: "https://login.\(name).example",
            client: Client(id: "broker-at-\(name)", secret: "s3cret+of/\(name) &co"), clock: clock)
    }

    /// The user signs in.
    func signIn(_ request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> [(String, String)] {
        #expect(request.base == issuer + "/authorize", sourceLocation: sourceLocation)
        return try authorize(
            try parameters(of: request, sourceLocation: sourceLocation), sourceLocation: sourceLocation)
    }

    /// The provider says no.
    func refuse(_ request: Location, _ error: String, description: String? = nil) throws -> [(String, String)] {
        refuse(error, state: try #require(request["state"]), description: description)
    }

    /// What an authorization request asks for: in its URL, or pushed before (RFC 9126).
    func parameters(of request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> Query {
        guard let reference = request["request_uri"] else { return request.query }
        #expect(request.query.names.sorted() == ["client_id", "request_uri"], sourceLocation: sourceLocation)
        return try #require(pushed(reference), sourceLocation: sourceLocation)
    }
}
