// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// One run of a module of the conformance suite for OpenID Providers: its client, a browser, and the broker, in one response
/// mode.
struct ProviderModuleRun {
    let installation: Installation
    let mode: ResponseMode
    var browser: Browser
    var app: AppClient

    /// - Parameters:
    ///   - mode: The response mode of the plan.
    ///   - endsSessions: Whether the provider has an end session endpoint.
    init(_ mode: ResponseMode = .query, endsSessions: Bool = false) throws {
        self.mode = mode
        installation = try Installation {
            $0.signingKeys = [Secret(Installation.signingKey), Secret(try SharedRSAKeys.pem(1))]
            $0.apps[1].codeBinding = .none
            $0.apps[1].upstreamTokens = false
            $0.apps[1].postLogoutRedirectURIs = ["https://back.example/post_logout_redirect"]
        }
        if endsSessions {
            let endpoint = installation.provider.issuer + "/end"
            installation.provider.behave { $0.metadata["end_session_endpoint"] = .string(endpoint) }
        }
        browser = Browser(installation)
        // The suite's client sends neither PKCE nor a secret in the form unless a module says so.
        app = AppClient.back
        app.isChallenging = false
        app.isVerifying = false
        app.secret = nil
        app.scope = "openid"
    }

    /// The parameters of the response to an authorization request.
    mutating func authorize(_ changes: [String: String?] = [:]) throws -> [String: String] {
        var changes = changes
        if mode != .query { changes["response_mode"] = mode.name }
        return try authorize(try browser.get(app.target(changes)))
    }

    /// The parameters of the response, after the user signed in at the provider.
    mutating func authorize(_ start: BrokerResponse) throws -> [String: String] {
        guard let location = start.head.headerFields[.location], location.hasPrefix(installation.provider.issuer) else {
            return try parameters(of: start)
        }
        let request = try Location(start)
        return try parameters(of: try browser.bring(installation.provider.signIn(request)))
    }

    /// The parameters that an app receives, in the mode of this run.
    func parameters(of response: BrokerResponse) throws -> [String: String] {
        guard mode == .formPost else {
            #expect(response.status == 303)
            let location = try Location(response)
            #expect(location.base == "https://back.example/callback")
            return Dictionary(location.query.names.compactMap { name in location[name].map { (name, $0) } }) { $1 }
        }
        #expect(response.status == 200)
        let form = try PageForm(response)
        #expect(form.action == app.redirectURI)
        return Dictionary(form.hidden) { $1 }
    }

    /// A whole flow with the checks that every module makes: the response, the tokens and UserInfo.
    @discardableResult
    mutating func flow(
        _ changes: [String: String?] = [:], secretInForm: Bool = false
    ) throws -> (tokens: JSONObject, claims: JSONObject, userInfo: JSONObject, code: String) {
        let response = try authorize(changes)
        #expect(response["error"] == nil)
        #expect(response["state"] == (changes["state"] ?? app.state))
        #expect(response["iss"] == Installation.issuer)
        let code = try #require(response["code"])
        #expect(Entropy.bits(of: code) > 96)
        let tokens = try redeem(code, secretInForm: secretInForm)
        #expect(tokens["token_type"] == "Bearer")
        #expect((1...31_536_000).contains(tokens["expires_in"]?.integerValue ?? 0))
        let idToken = try #require(tokens["id_token"]?.text?.makeString())
        let keys = try KeySet(json: Array(installation.get("/__/auth/jwks").body.readableBytesView))
        let claims = try JSONWebSignature(compact: idToken).verified(by: keys, algorithms: [.rs256]).claims
        #expect(claims["iss"] == .string(Installation.issuer))
        #expect(claims["aud"] == .string(app.clientID))
        #expect(claims["nonce"]?.text?.makeString() == (changes["nonce"] ?? app.nonce))
        #expect(claims["exp"]?.integerValue == installation.clock.now() + 3600)
        #expect(claims["iat"]?.integerValue == installation.clock.now() - 5)
        let accessToken = try #require(tokens["access_token"]?.text?.makeString())
        let userInfo = try installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(accessToken)"])
        #expect(userInfo.status == 200)
        let person = try userInfo.json()
        #expect(person["sub"] == claims["sub"])
        for object in [claims, person] {
            for member in object.members {
                #expect(member.value != .null && member.value.text?.isEmpty != true, "\(member.name)")
                if member.name == "email_verified" { #expect(member.value.boolValue != nil) }
            }
        }
        return (tokens, claims, person, code)
    }

    /// Follows a sign-out to its end: the question, if there is one, and the provider, if it ends sessions.
    mutating func signOut(_ response: BrokerResponse) throws -> BrokerResponse {
        let response = try response.status == 200 ? browser.submit(response) : response
        guard response.head.headerFields[.location]?.hasPrefix(installation.provider.issuer) == true else {
            return response
        }
        let state = try #require(try Location(response)["state"])
        return try browser.get("/__/auth/logout/done?" + Query.encode([("state", state)]))
    }

    func redeem(_ code: String, secretInForm: Bool = false) throws -> JSONObject {
        let response = try token(code, secretInForm: secretInForm)
        #expect(response.status == 200, "\(response.text)")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        return try response.json()
    }

    func token(_ code: String, secretInForm: Bool = false) throws -> BrokerResponse {
        var client = app
        client.secret = secretInForm ? Installation.backSecret : nil
        return try installation.token(
            client.tokenForm(code),
            fields: secretInForm ? [:] : Installation.basic(app.clientID, Installation.backSecret))
    }
}
