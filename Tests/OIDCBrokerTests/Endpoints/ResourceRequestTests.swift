// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// Which API an access token is for: the parameter `resource` at the start and at the token endpoint (RFC 8707).
struct ResourceRequestTests {
    private typealias Setup = ResourceSetup

    /// What an app asks for, and the API that it gets a token for.
    struct Case: Sendable, CustomTestStringConvertible {
        let isBack: Bool
        let start: [String]
        let token: String?
        /// The audience; `nil` for an opaque token.
        let audience: String?
        /// Whether the token request is refused.
        var isRefused = false

        var testDescription: String { "\(isBack ? "back" : "shop"): \(start), then \(token ?? "none")" }
    }

    private static let orders = ResourceSetup.orders
    private static let billing = ResourceSetup.billing

    @Test(arguments: [
        Case(isBack: false, start: [], token: nil, audience: orders),
        Case(isBack: false, start: [], token: orders, audience: orders),
        Case(isBack: false, start: [], token: billing, audience: nil, isRefused: true),
        Case(isBack: false, start: [billing], token: nil, audience: billing),
        Case(isBack: false, start: [billing], token: billing, audience: billing),
        Case(isBack: false, start: [billing], token: orders, audience: nil, isRefused: true),
        Case(isBack: false, start: [billing, orders], token: nil, audience: billing),
        Case(isBack: false, start: [billing, orders, billing], token: orders, audience: orders),
        Case(isBack: true, start: [], token: nil, audience: nil),
        Case(isBack: true, start: [], token: orders, audience: nil, isRefused: true),
        Case(isBack: true, start: [orders], token: nil, audience: orders),
        Case(isBack: true, start: [""], token: "", audience: nil),
    ])
    func `the token is for the API that was named, or the usual one, or none`(asked: Case) throws {
        let setup = try Setup()
        var app = asked.isBack ? AppClient.back : .shop
        app.resources = asked.start
        let response = try setup.tokens(app, redeeming: asked.token)
        guard !asked.isRefused else {
            #expect(response.status == 400)
            #expect(try response.json()["error"] == "invalid_target")
            let line = "hand-off code refused: resource not in the authorization request"
            #expect(setup.installation.log.text.contains(line))
            return
        }
        let token = try #require(try response.json()["access_token"]?.text?.makeString(), "\(response.text)")
        #expect(try Setup.audience(of: token) == asked.audience)
    }

    @Test(arguments: ["https://api.example/orders/", "https://API.example/orders", "shop", "x"])
    func `one that the app may not have is refused at the start, with the state`(resource: String) throws {
        let setup = try Setup()
        var app = AppClient.shop
        app.resources = [Self.orders, resource]
        let refused = try Location(try setup.installation.get(app.target()))
        #expect(refused["error"] == "invalid_target" && refused["state"] == app.state)
        // At the token endpoint it uses no code up.
        let code = try setup.code(.shop)
        let form = AppClient.shop.tokenForm(code)
        #expect(try setup.installation.token(form + [("resource", resource)]).json()["error"] == "invalid_target")
        #expect(setup.installation.log.text.contains("hand-off code refused") == false)
    }

    @Test func `a refused one at the token endpoint leaves the code, one that was not asked for uses it up`() throws {
        let setup = try Setup()
        let app = AppClient.shop
        let unused = try setup.code(app)
        #expect(try setup.installation.token(app.tokenForm(unused) + [("resource", "urn:other")]).status == 400)
        #expect(try setup.installation.redeem(unused, app).status == 200)
        let used = try setup.code(app)
        #expect(try setup.installation.token(app.tokenForm(used) + [("resource", Self.billing)]).status == 400)
        #expect(try setup.installation.redeem(used, app).json()["error"] == "invalid_grant")
        // Only one can be the audience.
        let twice = [("resource", Self.orders), ("resource", Self.orders)]
        #expect(try setup.installation.token(app.tokenForm(used) + twice).json()["error"] == "invalid_request")
    }

    @Test func `an app without APIs gets invalid_target, and its tokens are opaque`() throws {
        let setup = try Setup()
        var app = AppClient.desk
        app.resources = [Self.orders]
        #expect(try Location(try setup.installation.get(app.target()))["error"] == "invalid_target")
        #expect(try Setup.audience(of: try setup.token("access_token", .desk)) == nil)
    }

    @Test func `an API that the app loses during the sign-in is refused, not replaced`() throws {
        let setup = try Setup()
        var app = AppClient.shop
        app.resources = [Self.billing]
        let code = try setup.code(app)
        var configuration = setup.installation.configuration
        configuration.apps[0].resources = ["orders"]
        try setup.installation.broker.reload(configuration)
        #expect(try setup.installation.redeem(code, app).json()["error"] == "invalid_target")
    }

    @Test func `another parameter may not repeat beside it`() throws {
        let setup = try Setup()
        var app = AppClient.shop
        app.resources = [Self.orders, Self.orders]
        let target = app.target(adding: [("foo", "1"), ("foo", "2")])
        #expect(try Location(try setup.installation.get(target))["error"] == "invalid_request")
    }

    @Test func `it is not passed on, and comes back from the choice of a provider`() throws {
        let setup = try Setup()
        var app = AppClient.shop
        app.resources = [Self.billing]
        #expect(try Location(try setup.installation.get(app.target()))["resource"] == nil)
        // The choice keeps the request as it was.
        let query = Query.encode(app.parameters)
        let choice = PendingChoice(
            loginID: Array(0..<16), issuedAt: 1000, bindingHash: Array(repeating: 3, count: 32), start: .request(query))
        #expect(PendingChoice(encoded: choice.encoded)?.start == .request(query))
    }

    @Test func `login state and record keep the names`() throws {
        var state = LoginStateTests.make()
        let without = state.encoded.count
        state.requirements.resources = ["orders", "billing"]
        state.requirements.requestsEmail = true
        state.requirements.require(subject: "ada")
        #expect(LoginState(encoded: state.encoded) == state)
        #expect(state.encoded.count == without + 1 + 1 + 16 + 1 + 8 + 9)
        for count in 0..<state.encoded.count { #expect(LoginState(encoded: Array(state.encoded[..<count])) == nil) }
        // The second byte of flags has both.
        state.requirements.requiresAuthTime = true
        #expect(LoginState(encoded: state.encoded) == state)
        state.requirements.resources = []
        #expect(LoginState(encoded: state.encoded) == state)
        var record = HandOffRecord(
            clientID: "shop", redirectURI: "https://shop.example/callback", codeChallenge: [4], issuer: "i",
            claims: ["sub": "x"], upstream: nil, resources: ["orders"])
        #expect(HandOffRecord(record.encoded) == record)
        for count in 0..<record.encoded.count { #expect(HandOffRecord(Array(record.encoded[..<count])) == nil) }
        record.resources = []
        #expect(HandOffRecord(record.encoded) == record)
    }

    @Test(
        arguments: [(nil, ResourceSetup.orders), (ResourceSetup.billing, ResourceSetup.billing), ("urn:x", nil)]
            as [(String?, String?)])
    func `a native credential names one of the app's, or gets the usual one`(
        resource: String?, audience: String?
    ) throws {
        let setup = try AppleSetup {
            $0.resources = [
                BrokerConfiguration.Resource(name: "orders", identifier: ResourceSetup.orders),
                BrokerConfiguration.Resource(name: "billing", identifier: ResourceSetup.billing),
            ]
            $0.resourceSigningKeys = [Secret(ResourceSetup.key)]
            $0.apps[0].resources = ["orders", "billing"]
            $0.apps[0].defaultResource = "orders"
        }
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        let json = try setup.post("credential", form + (resource.map { [("resource", $0)] } ?? [])).json()
        guard let audience else {
            #expect(json["error"] == "invalid_target")
            return
        }
        let token = try #require(json["access_token"]?.text?.makeString(), "\(json)")
        #expect(try Setup.audience(of: token) == audience)
        #expect(json["expires_in"] == 900)
    }
}
