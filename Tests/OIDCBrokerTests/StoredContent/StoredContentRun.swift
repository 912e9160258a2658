// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages
@testable import SignInWithAppleTesting

/// A run over everything that stores something, and what must not be found in a store after it.
struct StoredContentRun {
    /// Every code, token, name, subject and secret of the run.
    let secrets: Set<String>

    /// Does the run. It is not async: an embedded event loop stays on its thread.
    /// - Parameter look: Is called after each step, while what it stored is there.
    init(on store: any SingleUseStore, look: () throws -> Void = {}) throws {
        var secrets: Set<String> = []
        try Self.signIn(store, &secrets, look)
        try Self.signInByApple(store, &secrets, look)
        // What is shorter occurs by chance.
        self.secrets = secrets.filter { $0.utf8.count >= 8 }
    }

    private static func note(_ response: JSONObject, _ secrets: inout Set<String>) throws {
        for name in ["access_token", "id_token", "refresh_token"] {
            if let text = response[name]?.text?.makeString() { secrets.insert(text) }
        }
        let token = try #require(response["id_token"]?.text?.makeString())
        let claims = try StubApple.claims(of: token)
        for name in ["sub", "upstream_sub", "email", "name"] {
            if let text = claims[name]?.text?.makeString() { secrets.insert(text) }
        }
    }

    /// A start, a callback, a redemption that comes twice, UserInfo, and an app that needs "Continue".
    private static func signIn(
        _ store: any SingleUseStore, _ secrets: inout Set<String>, _ look: () throws -> Void
    ) throws {
        let installation = try Installation(store: store)
        secrets.formUnion([Installation.sealingKey, Installation.backSecret, TestProvider.subject])
        for app in [AppClient.back, .desk] {
            var browser = Browser(installation)
            let response = try browser.authenticate(app)
            secrets.formUnion(browser.jar.cookies.map(\.value) + [app.verifier])
            secrets.formUnion(response.filter { ["code", "state"].contains($0.0) }.map { $0.1 })
            var answer = try browser.bring(response)
            try look()
            if answer.status == 200 {
                answer = try browser.submit(answer)
                try look()
            }
            let code = try #require(try Location(answer)["code"])
            secrets.insert(code)
            let redeemed = try installation.redeem(code, app)
            #expect(redeemed.status == 200)
            try look()
            let tokens = try redeemed.json()
            try note(tokens, &secrets)
            let token = try #require(tokens["access_token"]?.text?.makeString())
            let fields: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try installation.get("/__/auth/userinfo", fields: fields).status == 200)
            #expect(try installation.redeem(code, app).status == 400)
            #expect(try installation.get("/__/auth/userinfo", fields: fields).status == 401)
            try look()
        }
        secrets.formUnion(installation.provider.issuedSecrets)
    }

    /// A failing login with a name, native credentials (one fails with a name), and a notification.
    private static func signInByApple(
        _ store: any SingleUseStore, _ secrets: inout Set<String>, _ look: () throws -> Void
    ) throws {
        let setup = try AppleSetup(store: store) {
            $0.webhook = BrokerConfiguration.Webhook(
                url: "https://app.example/hook", signingKey: Secret(ReplicaKey.signingKey))
        }
        let names = ["Adamantia", "Lovelaceson", "Adamantia Lovelaceson"]
        secrets.formUnion(names)
        let user = #"{"name":{"firstName":"Adamantia","lastName":"Lovelaceson"}}"#
        setup.apple.behave(.tokenEndpointUnavailable)
        var browser = Browser(setup.installation)
        var fields = try setup.authenticate(&browser).filter { $0.0 != "user" }
        fields.append(("user", user))
        #expect(try Location(try browser.bringForm(fields))["code"] == nil)
        try look()
        let lost = try setup.apple.credential()
        #expect(try setup.post("credential", setup.credentialForm(lost, user: user)).status == 503)
        try look()
        setup.apple.behave(.none)
        let issued = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        #expect(issued.status == 200)
        try note(try issued.json(), &secrets)
        try look()
        let body = try setup.apple.notification("email-disabled", event: ["email": "x@privaterelay.appleid.com"])
        #expect(try setup.notify(body).status == 200)
        try look()
        secrets.formUnion(setup.apple.secrets)
        secrets.formUnion([
            StubApple.ada.subject(teamID: StubApple.teamID), StubApple.ada.email, "raw-nonce-of-the-app",
            "x@privaterelay.appleid.com",
        ])
    }
}
