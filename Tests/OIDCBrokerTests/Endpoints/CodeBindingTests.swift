// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The binding of codes by PKCE or by a nonce (RFC 9700 section 2.1.1).
struct CodeBindingTests {
    private func makeInstallation() throws -> Installation {
        try Installation { $0.apps[1].codeBinding = .nonce }
    }

    private func expectRefusal(_ response: BrokerResponse) throws {
        #expect(response.status == 400)
        #expect(try response.json()["error"]?.text?.makeString() == "invalid_grant")
    }

    @Test func `with a nonce and without a challenge, a code is redeemed without a verifier`() throws {
        var app = AppClient.back
        app.isChallenging = false
        app.isVerifying = false
        let installation = try makeInstallation()
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `a verifier for a code without a challenge is refused and burns it`() throws {
        var app = AppClient.back
        app.isChallenging = false
        let installation = try makeInstallation()
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        try expectRefusal(try installation.redeem(code, app))
        app.isVerifying = false
        try expectRefusal(try installation.redeem(code, app))
    }

    @Test func `a challenge that is sent needs its verifier`() throws {
        let app = AppClient.back
        let installation = try makeInstallation()
        for isVerifying in [true, false] {
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            var sender = app
            sender.isVerifying = isVerifying
            let response = try installation.redeem(code, sender)
            guard !isVerifying else {
                #expect(response.status == 200)
                continue
            }
            try expectRefusal(response)
            try expectRefusal(try installation.redeem(code, app))
        }
    }

    @Test func `a code without a challenge is refused where the app must use PKCE by now`() throws {
        var app = AppClient.back
        app.isChallenging = false
        let installation = try makeInstallation()
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        var configuration = installation.configuration
        configuration.apps[1].codeBinding = .pkce
        try installation.broker.reload(configuration)
        try expectRefusal(try installation.redeem(code, app))
    }

    @Test func `with neither a nonce nor a challenge a request is refused`() throws {
        var app = AppClient.back
        app.isChallenging = false
        for nonce in [nil, ""] as [String?] {
            app.nonce = nonce
            let location = try Location(try makeInstallation().get(app.target()))
            #expect(location["error"] == "invalid_request")
            #expect(location["error_description"]?.contains("code_challenge is missing") == true)
        }
    }

    @Test(arguments: [BrokerConfiguration.CodeBinding.pkce, .nonce])
    func `the app is told which ways there are, and the log names the app and the key`(
        binding: BrokerConfiguration.CodeBinding
    ) throws {
        var app = AppClient.back
        app.isChallenging = false
        app.nonce = nil
        let installation = try Installation { $0.apps[1].codeBinding = binding }
        let description = try #require(try Location(installation.get(app.target()))["error_description"])
        for way in ["PKCE (S256)", "code-binding", "nonce", "none"] { #expect(description.contains(way)) }
        let line = try #require(installation.log.lines.last)
        #expect(line.metadata["auth.app"] == "back")
        #expect(line.metadata["auth.detail"]?.contains("auth.app.back.code-binding") == true)
    }

    @Test func `a public app is told of PKCE alone, since it has no other way`() throws {
        var app = AppClient.shop
        app.isChallenging = false
        let installation = try Installation()
        let location = try Location(installation.get(app.target()))
        #expect(location["error_description"] == "code_challenge is missing: PKCE with S256 is required.")
        #expect(!installation.log.text.contains("code-binding"))
    }

    // MARK: none

    private func makeUnbound() throws -> Installation {
        try Installation { $0.apps[1].codeBinding = .none }
    }

    /// An app that sends neither.
    private static var unbound: AppClient {
        var app = AppClient.back
        app.isChallenging = false
        app.isVerifying = false
        app.nonce = nil
        return app
    }

    @Test func `with none, a request with neither is answered by a code for the app's authentication alone`() throws {
        let installation = try makeUnbound()
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(Self.unbound)["code"])
        var stranger = Self.unbound
        stranger.secret = nil
        #expect(try installation.redeem(code, stranger).status == 401)
        #expect(try installation.redeem(code, Self.unbound).status == 200)
        let posted = Self.unbound.target(["response_mode": "form_post"])
        #expect(try installation.get(posted).status == 303)
    }

    @Test func `with none, a fragment needs a nonce or a challenge`() throws {
        let installation = try makeUnbound()
        let target = Self.unbound.target(["response_mode": "fragment"])
        let refused = try #require(try installation.get(target).head.headerFields[.location])
        #expect(refused.contains("#") && refused.contains("error=invalid_request"))
        var app = Self.unbound
        app.nonce = "n"
        let started = try installation.get(app.target(["response_mode": "fragment"]))
        #expect(try installation.provider(at: Location(started)).issuer == installation.provider.issuer)
    }

    @Test func `with none, a challenge needs its verifier, a verifier its challenge, and a nonce is returned`() throws {
        let installation = try makeUnbound()
        for isChallenging in [false, true] {
            var browser = Browser(installation)
            var app = Self.unbound
            app.isChallenging = isChallenging
            app.isVerifying = !isChallenging
            let code = try #require(try browser.signIn(app)["code"])
            try expectRefusal(try installation.redeem(code, app))
            app.isVerifying = isChallenging
            try expectRefusal(try installation.redeem(code, app))
        }
        var browser = Browser(installation)
        var app = AppClient.back
        app.nonce = "nonce-of-this-one"
        let code = try #require(try browser.signIn(app)["code"])
        let tokens = try installation.redeem(code, app).json()
        let idToken = try #require(tokens["id_token"]?.text?.makeString())
        let claims = UnverifiedIDTokenPayload.claims(of: idToken, issuer: Installation.issuer)
        #expect(claims?["nonce"] == "nonce-of-this-one")
    }

    @Test func `none is for confidential apps with https redirect URIs alone`() throws {
        func isError(_ change: (inout BrokerConfiguration.App) -> Void) throws -> Bool {
            var configuration = try Installation.configuration(["acme"])
            configuration.apps[1].codeBinding = .none
            change(&configuration.apps[1])
            return configuration.validate().map(\.key).contains("auth.app.back.code-binding")
        }
        #expect(try !isError { _ in })
        #expect(try isError { $0.clientSecret = nil })
        for other in ["http://127.0.0.1/callback", "com.example.back:/callback"] {
            #expect(try isError { $0.redirectURIs.append(other) })
        }
    }

    @Test(arguments: ["code_challenge", "code_challenge_method"])
    func `half of PKCE is refused, also with a nonce`(missing: String) throws {
        let location = try Location(try makeInstallation().get(AppClient.back.target([missing: nil])))
        #expect(location["error"] == "invalid_request")
    }

    @Test func `a nonce does not replace a challenge by default`() throws {
        var app = AppClient.back
        app.isChallenging = false
        let location = try Location(try Installation().get(app.target()))
        #expect(location["error"] == "invalid_request")
    }

    @Test func `a public app must use PKCE`() throws {
        var configuration = try Installation.configuration(["acme"])
        configuration.apps[1].codeBinding = .nonce
        #expect(!configuration.validate().map(\.key).contains("auth.app.back.code-binding"))
        configuration.apps[0].codeBinding = .nonce
        #expect(configuration.validate().map(\.key).contains("auth.app.shop.code-binding"))
    }
}
