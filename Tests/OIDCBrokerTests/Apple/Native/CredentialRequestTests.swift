// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords

/// The requests to the credential endpoint: their authentication and their forms.
@Suite struct CredentialRequestTests {
    private func error(_ response: BrokerResponse) throws -> String? {
        try response.json()["error"]?.text?.makeString()
    }

    @Test func `an app authenticates as at the token endpoint`() throws {
        let setup = try AppleSetup()
        let credential = setup.credentialForm(try setup.apple.credential(StubApple.otherBundleID))
            .filter { $0.0 != "client_id" }
        #expect(try setup.post("credential", credential).status == 401)
        #expect(try setup.post("credential", credential + [("client_id", "back-office")]).status == 401)
        #expect(try setup.post("credential", credential + [("client_id", "nobody")]).status == 401)
        let wrong = Installation.basic("back-office", "wrong")
        let challenged = try setup.post("credential", credential, fields: wrong)
        #expect(challenged.status == 401)
        #expect(challenged.head.headerFields[.wwwAuthenticate]?.hasPrefix("Basic") == true)
        // A public app must not send a secret.
        let secret = credential + [("client_id", "shop"), ("client_secret", "x")]
        #expect(try setup.post("credential", secret).status == 401)
        #expect(setup.apple.paths == [])
        let right = Installation.basic("back-office", Installation.backSecret)
        #expect(try setup.post("credential", credential, fields: right).status == 200)
    }

    @Test func `only an app with native audiences may ask, and only for a provider it may use`() throws {
        let setup = try AppleSetup(providers: ["acme"]) {
            $0.apps[1].providers = ["acme"]
            $0.apps[2].nativeAudiences = []
        }
        let form = setup.credentialForm(try setup.apple.credential())
        let desk = form.map { $0.0 == "client_id" ? ($0.0, "desk") : $0 }
        #expect(try error(try setup.post("credential", desk)) == "unauthorized_client")
        let back = form.filter { $0.0 != "client_id" } + AppleSetup.confidential
        #expect(try error(try setup.post("credential", back)) == "invalid_request")
        for provider in ["nobody", "APPLE", ""] {
            let other = form.map { $0.0 == "provider" ? ($0.0, provider) : $0 }
            #expect(try error(try setup.post("credential", other)) == "invalid_request", "\(provider)")
        }
        // By name or by id.
        let byID = form.map { $0.0 == "provider" ? ($0.0, "apple.com") : $0 }
        #expect(try setup.post("credential", byID).status == 200)
    }

    @Test func `where there is one provider it need not be named`() throws {
        let setup = try AppleSetup()
        let form = setup.credentialForm(try setup.apple.credential()).filter { $0.0 != "provider" }
        #expect(try setup.post("credential", form).status == 200)
    }

    @Test func `what is missing, too long or not printable is named, and nothing is asked`() throws {
        let setup = try AppleSetup()
        let form = setup.credentialForm(try setup.apple.credential())
        let refused: [(String, String)] = [
            ("id_token", ""), ("id_token", "a b"), ("id_token", "\u{e9}"), ("id_token", "a\nb"),
            ("id_token", String(repeating: "a", count: 65_537)), ("authorization_code", "a b"),
            ("authorization_code", String(repeating: "c", count: 4097)), ("authorization_code", "\u{e9}"),
            ("raw_nonce", String(repeating: "n", count: 256)), ("raw_nonce", "\u{e9}"), ("raw_nonce", "a b"),
        ]
        for (name, value) in refused {
            let response = try setup.post("credential", form.map { $0.0 == name ? (name, value) : $0 })
            #expect(try error(response) == "invalid_request", "\(name)")
            #expect(response.text.contains(name))
        }
        for (name, value) in form {
            #expect(try error(try setup.post("credential", form + [(name, value)])) == "invalid_request", "\(name)")
        }
        #expect(setup.apple.paths == [])
        #expect(try setup.post("credential", form + [("unknown", "1")]).status == 200)
    }

    @Test func `the longest of everything is read`() throws {
        let setup = try AppleSetup()
        let raw = String(repeating: "n", count: 255)
        let credential = try setup.apple.credential(rawNonce: raw)
        let long = setup.credentialForm((credential.idToken, String(repeating: "c", count: 4096)), rawNonce: raw)
        // It is read, and then it is not the token's code.
        #expect(try error(try setup.post("credential", long)) == "invalid_grant")
        #expect(try setup.post("credential", setup.credentialForm(credential, rawNonce: raw)).status == 200)
        let token = String(repeating: "a", count: 65_536)
        #expect(
            try error(try setup.post("credential", setup.credentialForm((token, ""), hasCode: false)))
                == "invalid_grant")
    }

    @Test(arguments: ["credential", "revoke"])
    func `by POST of a form only, and not validated by Fetch metadata`(path: String) throws {
        let setup = try AppleSetup()
        for method: HTTPRequest.Method in [.get, .head, .put, .delete] {
            let response = try setup.installation.request(method, "/__/auth/" + path)
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == "POST, OPTIONS")
        }
        for type in ["application/json", "multipart/form-data; boundary=x", "text/plain"] {
            let response = try setup.post(path, [("client_id", "shop")], fields: [.contentType: type])
            #expect(try error(response) == "invalid_request")
        }
        let cross: HTTPFields = [
            .secFetchSite: "cross-site", .secFetchMode: "cors", .secFetchDestination: "empty",
        ]
        #expect(try setup.post(path, [("client_id", "nobody")], fields: cross).status == 401)
    }

    @Test(arguments: ["credential", "revoke"])
    func `a page of the app's own origin may read the response, no other`(path: String) throws {
        let setup = try AppleSetup()
        for (origin, isAllowed) in [("https://shop.example", true), ("https://evil.example", false), ("null", false)] {
            let response = try setup.post(path, [("client_id", "shop")], fields: [.origin: origin])
            #expect(response.head.headerFields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
            #expect(response.head.headerFields[.vary] == "Origin")
            let preflight = try setup.installation.request(.options, "/__/auth/" + path, fields: [.origin: origin])
            #expect(preflight.status == 204)
            #expect(preflight.head.headerFields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
        }
    }

    @Test func `another provider's code cannot be exchanged, and its name is not read`() throws {
        let installation = try Installation {
            $0.apps[0].nativeAudiences = [.init(provider: "oidc.acme", audience: "app-at-acme")]
        }
        var request = installation.tokenRequest([
            ("client_id", "shop"), ("id_token", "a.b.c"), ("authorization_code", "code"),
        ])
        request.path = "/__/auth/credential"
        let response = try installation.respond(request)
        #expect(try error(response) == "invalid_request")
        #expect(response.text.contains("cannot be exchanged"))
        #expect(installation.provider.requests.isEmpty)
    }

    @Test(.attack(.secretsInLogs)) func `nothing of a credential is written down`() throws {
        _ = CapturedMetrics.shared
        let setup = try AppleSetup { $0.apps[0].upstreamTokens = true }
        let user = #"{"name":{"firstName":"Adamantia","lastName":"Example"}}"#
        let taken = setup.credentialForm(try setup.apple.credential(), user: user)
        let response = try setup.post("credential", taken).json()
        _ = try setup.post("credential", taken)
        setup.apple.behave(.refusesClientSecrets)
        setup.installation.clock.advance(by: 1)
        _ = try setup.post("credential", setup.credentialForm(try setup.apple.credential(), user: user))
        setup.apple.behave(.wrongNonce)
        _ = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        setup.apple.behave(.wrongSignature)
        _ = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        let given = ["id_token", "access_token"].compactMap { response[$0]?.text?.makeString() }
        let secrets = setup.apple.secrets + given + ["raw-nonce-of-the-app", "Adamantia", "ada@example.com"]
        #expect(secrets.count > 10)
        let written = setup.installation.log.text + CapturedMetrics.shared.counters.joined(separator: "\n")
        for secret in secrets where written.contains(secret) { Issue.record("written down: \(secret)") }
        for line in setup.apple.developerKey.privateKey.exposed.split(separator: "\n") where !line.hasPrefix("--") {
            #expect(!written.contains(line))
        }
        #expect(written.contains("missing_or_invalid_nonce"))
    }
}
