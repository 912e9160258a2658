// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// A provider whose issuer is a template, for some of its tenants.
struct TenantTests {
    private static let template = "https://login.acme.example/{tenantid}/v2.0"

    private static func issuer(_ tenant: String) -> String { "https://login.acme.example/\(tenant)/v2.0" }

    private func installation() throws -> Installation {
        let installation = try Installation { $0.providers[0].configuration.tenants = ["one", "two"] }
        installation.provider.behave { $0.metadata = ["issuer": .string(Self.template)] }
        return installation
    }

    /// A sign-in whose callback names one tenant and whose ID token names another, or the same.
    private func signIn(
        _ installation: Installation, returned: String, token: JSONObject, app: AppClient = .shop
    ) throws -> Location {
        installation.provider.behave { $0.claims = token }
        var browser = Browser(installation)
        var response = try browser.authenticate(app)
        response[2].1 = returned
        return try Location(try browser.bring(response))
    }

    @Test(arguments: ["one", "two"])
    func `signs in who is of a tenant that is listed; the user is that tenant's`(tenant: String) throws {
        let installation = try self.installation()
        let issuer = Self.issuer(tenant)
        let app = AppClient.shop
        let location = try signIn(
            installation, returned: issuer, token: ["iss": .string(issuer), "tid": .string(tenant)], app: app)
        let response = try installation.redeem(try #require(location["code"]), app).json()
        let token = try #require(response["id_token"]?.text?.makeString())
        let payload = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        let claims = try JSONParser.object(payload, limits: JSONLimits(maximumBytes: 4096))
        #expect(claims["upstream_iss"]?.text?.makeString() == issuer)
        #expect(
            claims["sub"]?.text?.makeString() == SubjectIdentifier.derive(issuer: issuer, subject: TestProvider.subject)
        )
    }

    @Test func `refuses an ID token of another tenant, of none, or of the template itself`() throws {
        let installation = try self.installation()
        let one = Self.issuer("one")
        for claims: JSONObject in [
            ["iss": .string(one), "tid": "two"], ["iss": .string(one)],
            ["iss": .string(Self.issuer("two")), "tid": "two"],
            ["iss": .string(Self.template), "tid": "one"], ["iss": .string(Self.issuer("three")), "tid": "three"],
            ["iss": "https://login.acme.example", "tid": "one"], ["iss": .string(one + "/"), "tid": "one"],
        ] {
            let location = try signIn(installation, returned: one, token: claims)
            #expect(location["error"] == "server_error", "\(claims)")
            #expect(location["code"] == nil)
        }
        #expect(Set(installation.log.outcomes) == ["failed_id_token"])
    }

    @Test(
        arguments: [
            "https://login.acme.example/three/v2.0", template, "https://login.acme.example",
            "https://login.evil.example/one/v2.0", "https://login.acme.example/one/v2.0/", "",
        ])
    func `refuses a callback that names an unlisted tenant, before any token request`(issuer: String) throws {
        let installation = try self.installation()
        let token: JSONObject = ["iss": .string(Self.issuer("one")), "tid": "one"]
        #expect(try signIn(installation, returned: issuer, token: token)["error"] == "server_error")
        #expect(installation.provider.count("/token") == 0)
        #expect(installation.log.outcomes == ["failed_authorization"])
    }

    @Test func `is refused at the start where no tenant is listed: its metadata names another issuer`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.metadata = ["issuer": .string(Self.template)] }
        #expect(try Location(try installation.get(AppClient.shop.target()))["error"] == "temporarily_unavailable")
    }
}
