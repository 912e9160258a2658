// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// A module of the conformance suite for OpenID Providers, by its exact name.
struct ProviderModule: Sendable, CustomTestStringConvertible {
    /// What comes of a module.
    enum Verdict: String, Sendable {
        case passes
        case skipped
    }

    let name: String
    let verdict: Verdict
    /// Why the module is skipped, or what a user sees; empty if there is nothing to say.
    let remark: String
    let run: @Sendable (inout ProviderModuleRun) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ verdict: Verdict = .passes, _ remark: String = "",
        _ run: @escaping @Sendable (inout ProviderModuleRun) throws -> Void
    ) {
        (self.name, self.verdict, self.remark, self.run) = (name, verdict, remark, run)
    }

    /// A module that takes a flow with further parameters.
    private static func flow(_ name: String, _ changes: [String: String?] = [:], _ remark: String = "")
        -> ProviderModule
    {
        ProviderModule(name, .passes, remark) { try $0.flow(changes) }
    }

    private static func scope(_ name: String, _ scope: String, _ missing: [String]) -> ProviderModule {
        ProviderModule(
            name, missing.isEmpty ? .passes : .skipped,
            missing.isEmpty ? "" : "`scopes_supported` has what the providers are asked for"
        ) { run in
            let metadata = try run.installation.get("/__/auth/.well-known/openid-configuration").json()
            let supported = metadata["scopes_supported"]?.arrayValue ?? []
            for name in missing { #expect(!supported.contains(.string(name))) }
            let (tokens, _, userInfo, _) = try run.flow(["scope": scope])
            if scope.contains("email") { #expect(userInfo["email"] != nil && userInfo["email_verified"] != nil) }
            if scope.contains("profile") { #expect(userInfo["name"] != nil) }
            #expect(tokens["scope"]?.text?.makeString().hasPrefix("openid") == true)
        }
    }

    private static func page(_ response: BrokerResponse) {
        #expect(response.status == 400)
        #expect(response.head.headerFields[.location] == nil)
        #expect(response.head.headerFields[.contentType] == "text/html; charset=utf-8")
    }

    /// The modules of the Basic OP plan.
    static let basic: [ProviderModule] = [
        flow("oidcc-server"),
        ProviderModule("oidcc-response-type-missing") { run in
            let response = try run.authorize(["response_type": nil])
            #expect(response["error"] == "invalid_request")
        },
        ProviderModule("oidcc-userinfo-get") { try $0.flow() },
        ProviderModule("oidcc-userinfo-post-header") { try userInfo(&$0, inField: true) },
        ProviderModule("oidcc-userinfo-post-body") { try userInfo(&$0, inField: false) },
        flow("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", ["nonce": nil]),
        scope("oidcc-scope-profile", "openid profile", []),
        scope("oidcc-scope-email", "openid email", []),
        scope("oidcc-scope-address", "openid address", ["address"]),
        scope("oidcc-scope-phone", "openid phone", ["phone"]),
        scope("oidcc-scope-all", "openid profile email address phone", ["address", "phone"]),
        scope("oidcc-alternate-happy-flow", "email openid", []),
        flow("oidcc-display-page", ["display": "page"]),
        flow("oidcc-display-popup", ["display": "popup"]),
        ProviderModule("oidcc-prompt-login", .passes, "the provider asks the person again") { run in
            try run.flow()
            var target: [String: String?] = ["prompt": "login"]
            if run.mode != .query { target["response_mode"] = run.mode.name }
            let request = try Location(try run.browser.get(run.app.target(target)))
            #expect(request["prompt"] == "login")
        },
        ProviderModule("oidcc-prompt-none-not-logged-in") { run in
            try notLoggedIn(&run, ["state": String(repeating: "s", count: 123) + "-._~x"])
        },
        ProviderModule("oidcc-prompt-none-logged-in") { run in
            let first = try run.flow()
            let second = try run.flow(["prompt": "none"])
            #expect(second.claims["sub"] == first.claims["sub"])
        },
        ProviderModule("oidcc-id-token-hint") { run in
            let first = try run.flow()
            let hint = first.tokens["id_token"]?.text?.makeString()
            let second = try run.flow(["prompt": "none", "id_token_hint": hint])
            #expect(second.claims["sub"] == first.claims["sub"])
        },
        ProviderModule("oidcc-max-age-1", .passes, "the provider asks the person again") { run in
            run.installation.provider.behave { $0.claims = ["auth_time": 1_800_000_000] }
            let claims = try run.flow(["max_age": "1"]).claims
            #expect(claims["auth_time"] != nil)
        },
        ProviderModule("oidcc-max-age-10000") { run in
            let first = try run.flow(["max_age": "15000"])
            let second = try run.flow(["max_age": "10000"])
            #expect(first.claims["auth_time"] != nil && first.claims["auth_time"] == second.claims["auth_time"])
        },
        flow("oidcc-ensure-request-with-unknown-parameter-succeeds", ["extra": "foobar"]),
        flow("oidcc-login-hint", ["login_hint": "buffy@auth.example.com"]),
        flow("oidcc-ui-locales", ["ui_locales": "se"]),
        flow("oidcc-claims-locales", ["claims_locales": "se"]),
        flow("oidcc-ensure-request-with-acr-values-succeeds", ["acr_values": "1 2"]),
        ProviderModule("oidcc-codereuse") { try reuse(&$0, after: 0) },
        ProviderModule("oidcc-codereuse-30seconds") { try reuse(&$0, after: 30) },
        ProviderModule("oidcc-ensure-registered-redirect-uri", .passes, "a page, no redirect") { run in
            page(try run.browser.get(run.app.target(["redirect_uri": run.app.redirectURI + "/random"])))
        },
        ProviderModule("oidcc-ensure-post-request-succeeds") { run in
            var parameters = run.app.parameters
            if run.mode != .query { parameters.append(("response_mode", run.mode.name)) }
            let start = try run.browser.post(
                "/__/auth/authorize", parameters, site: .crossSite, origin: "https://back.example")
            #expect(try run.authorize(start)["code"] != nil)
        },
        ProviderModule("oidcc-server-client-secret-post") { try $0.flow(secretInForm: true) },
        ProviderModule(
            "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", .skipped,
            "`request_not_supported`; in the Form Post plan it comes in the query, since the mode is only in the object"
        ) { run in
            let target = run.app.target(["state": nil, "nonce": nil], adding: [("request", "e30.e30.")])
            let location = try Location(try run.browser.get(target))
            #expect(location["error"] == "request_not_supported")
        },
        ProviderModule("oidcc-claims-essential") { run in
            let claims = #"{"userinfo":{"name":{"essential":true}}}"#
            let userInfo = try run.flow(["claims": claims]).userInfo
            #expect(userInfo["name"] != nil)
        },
        ProviderModule("oidcc-ensure-request-object-with-redirect-uri", .passes, "a page, no redirect") { run in
            page(
                try run.browser.get(
                    run.app.target(
                        ["redirect_uri": run.app.redirectURI + "_invalid"], adding: [("request", "e30.e30.")])))
        },
        ProviderModule("oidcc-refresh-token", .skipped, "passes for an app with accounts (`RefreshTokenModuleTests`)") {
            run in
            let tokens = try run.flow(["scope": "openid offline_access"]).tokens
            #expect(tokens["refresh_token"] == nil)
        },
        ProviderModule("oidcc-ensure-request-with-valid-pkce-succeeds") { run in
            run.app.isChallenging = true
            run.app.isVerifying = true
            try run.flow()
        },
    ]

    private static func notLoggedIn(_ run: inout ProviderModuleRun, _ changes: [String: String?] = [:]) throws {
        var changes = changes
        changes["prompt"] = "none"
        if run.mode != .query { changes["response_mode"] = run.mode.name }
        let request = try Location(try run.browser.get(run.app.target(changes)))
        #expect(request["prompt"] == "none")
        let answer = try run.installation.provider.refuse(request, "login_required")
        #expect(try run.parameters(of: try run.browser.bring(answer))["error"] == "login_required")
    }

    private static func userInfo(_ run: inout ProviderModuleRun, inField: Bool) throws {
        let tokens = try run.flow().tokens
        let token = try #require(tokens["access_token"]?.text?.makeString())
        var request = run.installation.tokenRequest(
            inField ? [] : [("access_token", token)],
            fields: inField ? [.authorization: "Bearer \(token)"] : [:])
        request.path = "/__/auth/userinfo"
        #expect(try run.installation.respond(request).status == 200)
    }

    private static func reuse(_ run: inout ProviderModuleRun, after seconds: Int64) throws {
        let (tokens, _, _, code) = try run.flow()
        run.installation.clock.advance(by: seconds)
        let again = try run.token(code)
        #expect(again.status == 400)
        #expect(try again.json()["error"] == "invalid_grant")
        let token = try #require(tokens["access_token"]?.text?.makeString())
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try run.installation.get("/__/auth/userinfo", fields: fields).status == 401)
    }

    /// The module of the Config OP plan.
    static let configuration: [ProviderModule] = [
        ProviderModule("oidcc-discovery-endpoint-verification") { run in
            let response = try run.installation.get("/__/auth/.well-known/openid-configuration")
            #expect(response.head.headerFields[.contentType] == "application/json")
            let metadata = try response.json()
            #expect(metadata["issuer"] == .string(Installation.issuer))
            for member in metadata.members
            where member.name.makeString().hasSuffix("_endpoint") || member.name == "jwks_uri" {
                #expect(member.value.text?.makeString().hasPrefix("https://") == true, "\(member.name)")
            }
            func list(_ name: String) -> [JSONValue] { metadata[name]?.arrayValue ?? [] }
            #expect(list("id_token_signing_alg_values_supported").contains("RS256"))
            #expect(list("response_types_supported") == ["code"])
            #expect(list("subject_types_supported") == ["public"])
            #expect(list("scopes_supported").contains("openid"))
            #expect(list("code_challenge_methods_supported") == ["S256"])
            #expect(list("token_endpoint_auth_methods_supported").contains("client_secret_basic"))
            #expect(list("token_endpoint_auth_methods_supported").contains("client_secret_post"))
            #expect(metadata["request_uri_parameter_supported"] == false)
            #expect(metadata["userinfo_endpoint"] != nil && metadata["claims_supported"] != nil)
        }
    ]

    /// The modules of the RP-initiated logout plan.
    static let logout: [ProviderModule] = [
        ProviderModule("oidcc-rp-initiated-logout-discovery-endpoint-verification") { run in
            let metadata = try run.installation.get("/__/auth/.well-known/openid-configuration").json()
            #expect(metadata["end_session_endpoint"] == .string(Installation.issuer + "/logout"))
        },
        ProviderModule("oidcc-rp-initiated-logout", .passes, "the person confirms on a page") { run in
            let state = ##"!#$%&'()*,-./:<=>?@[\]^_`{|}~""## + String(repeating: "s", count: 60)
            let parameters = try logout(&run, state: state)
            #expect(parameters == ["state": state])
        },
        ProviderModule("oidcc-rp-initiated-logout-no-state", .passes, "the person confirms on a page") { run in
            let parameters = try logout(&run, state: nil)
            #expect(parameters.isEmpty)
        },
        refusal("oidcc-rp-initiated-logout-bad-post-logout-redirect-uri") { hint in
            [("id_token_hint", hint), ("post_logout_redirect_uri", "https://back.example/other")]
        },
        refusal("oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri") { hint in
            [("id_token_hint", hint), ("post_logout_redirect_uri", afterwards + "?foo=bar")]
        },
        refusal("oidcc-rp-initiated-logout-modified-id-token-hint") { hint in
            let payload = hint.split(separator: ".")[1]
            let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
            return [("id_token_hint", "\(header).\(payload)."), ("post_logout_redirect_uri", afterwards)]
        },
        refusal("oidcc-rp-initiated-logout-bad-id-token-hint") { _ in
            let key = SharedSecretKey(Array(Installation.backSecret.utf8) + Array(repeating: 0x78, count: 32))
            let claims: JSONObject = ["iss": "back-office", "aud": .string(Installation.issuer), "sub": "x"]
            let hint = key?.sign(claims, algorithm: .hs256, header: ["typ": "JWT"]) ?? ""
            return [("id_token_hint", hint), ("post_logout_redirect_uri", afterwards)]
        },
        refusal("oidcc-rp-initiated-logout-no-id-token-hint") { _ in
            [("post_logout_redirect_uri", afterwards), ("state", "s")]
        },
        loggedOut("oidcc-rp-initiated-logout-no-params") { _ in [] },
        loggedOut("oidcc-rp-initiated-logout-no-post-logout-redirect-uri") { [("id_token_hint", $0), ("state", "s")] },
        loggedOut("oidcc-rp-initiated-logout-only-state") { _ in [("state", "s")] },
    ]

    private static let afterwards = "https://back.example/post_logout_redirect"

    private static func logoutPage(
        _ run: inout ProviderModuleRun, _ parameters: (_ hint: String) -> [(String, String)]
    ) throws -> BrokerResponse {
        let hint = try #require(try run.flow().tokens["id_token"]?.text?.makeString())
        return try run.browser.get("/__/auth/logout?" + Query.encode(parameters(hint)))
    }

    private static func logout(_ run: inout ProviderModuleRun, state: String?) throws -> [String: String] {
        let page = try logoutPage(&run) { hint in
            [("id_token_hint", hint), ("post_logout_redirect_uri", afterwards)] + (state.map { [("state", $0)] } ?? [])
        }
        let location = try Location(try run.signOut(page))
        #expect(location.base == afterwards)
        try notLoggedIn(&run)
        return Dictionary(location.query.names.compactMap { name in location[name].map { (name, $0) } }) { $1 }
    }

    /// The user is asked, and whatever is answered, nothing leads to the app's URI. A hint that cannot be verified names
    /// the app, as `client_id` does: after the confirmation that leads back, which the suite does not do.
    private static func refusal(
        _ name: String, _ parameters: @escaping @Sendable (_ hint: String) -> [(String, String)]
    ) -> ProviderModule {
        ProviderModule(name, .passes, "the person is asked, no redirect") { run in
            let page = try logoutPage(&run, parameters)
            #expect(page.status == 200 && page.heading?.contains("?") == true)
            #expect(page.head.headerFields[.location] == nil)
        }
    }

    private static func loggedOut(
        _ name: String, _ parameters: @escaping @Sendable (_ hint: String) -> [(String, String)]
    ) -> ProviderModule {
        ProviderModule(name, .passes, "the person confirms on a page, and a page says so") { run in
            let page = try run.signOut(try logoutPage(&run, parameters))
            #expect(page.text.contains("Sign-out is finished"))
        }
    }
}
