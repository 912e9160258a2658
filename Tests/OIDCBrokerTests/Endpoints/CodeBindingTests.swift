// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

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
            #expect(location["error_description"]?.contains("nonce is missing") == true)
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
