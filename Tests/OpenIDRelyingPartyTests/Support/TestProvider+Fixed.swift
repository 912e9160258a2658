// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The provider of this suite: what it issues is known beforehand, and it takes whatever comes.
extension TestProvider {
    static let fixedIssuer = "https://issuer.example"
    static let code = "a-code"

    /// A provider with endpoints at ``fixedIssuer``, whatever it calls itself.
    convenience init(_ algorithm: JSONWebAlgorithm = .es256, issuer: String = TestProvider.fixedIssuer) throws {
        var behavior = Behavior()
        behavior.announcesOptionalEndpoints = true
        behavior.hashesAccessToken = true
        behavior.fixed = FixedGrant(
            code: Self.code, accessToken: "an-access-token", refreshToken: "a-refresh-token",
            requestURI: "urn:example:request")
        behavior.person = Person(
            claims: ["sub": "person-ada"],
            userInfo: ["sub": "person-ada", "email": "ada@example.com", "email_verified": true])
        try self.init(
            issuer: issuer, origin: Self.fixedIssuer, client: Client(id: "client", secret: "secret"),
            clock: TestClock(),
            algorithm: algorithm, behavior: behavior)
    }

    /// A provider that responds by a script only.
    convenience init(
        _ script: @escaping @Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>
    ) throws {
        try self.init()
        behave { $0.script = script }
    }

    /// Sets the response of a path from now on.
    func answer(_ path: String, status: Int = 200, _ body: String = "", type: String? = "application/json") {
        let response = ProviderResponse(status: status, contentType: type, body: ByteBuffer(string: body))
        behave { $0.responses[path] = .success(response) }
    }

    /// The parameters of a form that was posted to a path, the last time.
    func form(_ path: String) throws -> Parameters {
        let form = requests.last { $0.url.path == path }?.form
        return try FormURLEncoding.parse((form ?? "").utf8)
    }

    /// A browser is sent to a URL and comes back with this response, form-encoded.
    func answer(to url: String) throws -> String {
        var asked = try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8)
        if asked.contains("request_uri") { asked = try form("/par") }
        return FormURLEncoding.encode(try authorize(Query(asked.texts)))
    }
}
