// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords

/// Failures are logged once a second, whatever caused them.
struct RepeatedFailuresTests {
    private static var atGlobex: AppClient {
        var app = AppClient.shop
        app.provider = "globex"
        return app
    }

    private static var atAcme: AppClient {
        var app = AppClient.shop
        app.provider = "acme"
        return app
    }

    /// Does something five times in a second, and once more a second later: the last line counts the others.
    private func expectLines(
        _ installation: Installation, _ outcome: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ attempt: () throws -> Void
    ) throws {
        func lines() -> [CapturedLog.Line] {
            installation.log.lines.filter { $0.metadata["auth.outcome"] == outcome }
        }
        for _ in 0..<5 { try attempt() }
        #expect(lines().count == 1, sourceLocation: sourceLocation)
        #expect(lines().last?.metadata["auth.repeated"] == nil, sourceLocation: sourceLocation)
        installation.clock.advance(by: 1)
        try attempt()
        #expect(lines().count == 2, sourceLocation: sourceLocation)
        #expect(lines().last?.metadata["auth.repeated"] == "4", sourceLocation: sourceLocation)
    }

    @Test func `codes that the provider does not take: the counter counts each`() throws {
        let metrics = CapturedMetrics.shared
        let installation = try Installation(providers: ["junkcodes"])
        func count() -> Int {
            metrics.counters.count { $0.contains("oidc.junkcodes") && $0.contains("outcome=failed_token") }
        }
        try expectLines(installation, "failed_token") { () throws in
            var stranger = Browser(installation)
            let response = try stranger.authenticate().map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
            #expect(try Location(try stranger.bring(response))["error"] == "server_error")
        }
        #expect(count() == 6)
    }

    @Test func `ID tokens that are not this login's`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims["aud"] = "somebody-else" }
        try expectLines(installation, "failed_id_token") { () throws in
            var browser = Browser(installation)
            #expect(try browser.signIn()["error"] == "server_error")
        }
    }

    @Test func `callbacks of a provider whose token endpoint is unavailable`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.responses["/token"] = .json([:], status: 503) }
        try expectLines(installation, "provider_unavailable") { () throws in
            var browser = Browser(installation)
            #expect(try browser.signIn()["error"] == "temporarily_unavailable")
        }
    }

    @Test func `a store that is full`() throws {
        let installation = try Installation(store: InMemorySingleUseStore(capacity: 1))
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        try expectLines(installation, "store_unavailable") { () throws in
            #expect(try browser.signIn()["error"] == "temporarily_unavailable")
        }
    }

    @Test func `starts while a provider is down, and of each provider a line of its own`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        for provider in installation.providers { provider.behave { $0.isDown = true } }
        try expectLines(installation, "provider_unavailable") { () throws in
            var browser = Browser(installation)
            #expect(try browser.start(Self.atAcme)["error"] == "temporarily_unavailable")
        }
        var browser = Browser(installation)
        for _ in 0..<2 { #expect(try browser.start(Self.atGlobex)["error"] == "temporarily_unavailable") }
        let lines = installation.log.lines.filter { $0.metadata["auth.provider"] == "oidc.globex" }
        #expect(lines.count == 1)
        #expect(lines.last?.metadata["auth.repeated"] == nil)
    }

    @Test func `unsigned credentials, by an app without a secret`() throws {
        let setup = try AppleSetup()
        try expectLines(setup.installation, "failed_id_token") { () throws in
            let form = setup.credentialForm(("x", "y"), hasCode: false)
            #expect(try setup.post("credential", form).status == 400)
        }
    }

    @Test func `revocations of tokens that the provider does not know`() throws {
        let setup = try AppleSetup()
        setup.apple.goDown()
        let form = AppleSetup.confidential + [("token", "x"), ("audience", StubApple.servicesID)]
        try expectLines(setup.installation, "provider_unavailable") { () throws in
            #expect(try setup.post("revoke", form).status == 503)
        }
    }

    @Test func `notifications for which the provider's keys would be needed`() throws {
        let setup = try AppleSetup()
        setup.apple.behave(.keySetUnavailable)
        let body = try setup.apple.notification("consent-revoked")
        try expectLines(setup.installation, "unavailable") { () throws in
            #expect(try setup.notify(body).status == 503)
        }
    }
}
