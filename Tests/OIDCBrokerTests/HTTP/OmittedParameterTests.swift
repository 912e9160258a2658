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

/// RFC 6749 section 3.1: a parameter without a value counts as omitted, each one at each route.
struct OmittedParameterTests {
    typealias Form = [(String, String)]

    /// A route, with a request to it that succeeds.
    struct Route: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The parameters that the route reads.
        let names: [String]
        /// The status of the request as it is.
        let status: Int
        /// Sends the request to a new broker.
        let send: @Sendable ((Form) -> Form) throws -> BrokerResponse
    }

    private static let start = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "claims", "id_token_hint", "request", "request_uri", "registration", "resource",
        "provider", "prompt", "max_age", "ui_locales", "login_hint", "acr_values", "display", "hd", "unknown",
    ]
    private static let client = ["client_id", "client_secret", "client_assertion", "client_assertion_type", "unknown"]
    private static let signOut = [
        "id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales", "logout_hint",
    ]
    private static let afterwards = "https://shop.example/signed-out"

    private static func installation(
        _ type: ResponseType = .code, _ mode: ResponseMode = .query
    ) throws -> Installation {
        let installation = try Installation {
            $0.providers[0].configuration.responseType = type
            $0.providers[0].configuration.responseMode = mode
            $0.apps[0].postLogoutRedirectURIs = [afterwards]
        }
        let issuer = installation.provider.issuer
        installation.provider.behave {
            $0.metadata["end_session_endpoint"] = .string(issuer + "/end")
            $0.metadata["revocation_endpoint"] = .string(issuer + "/revoke")
        }
        return installation
    }

    /// The response to a form of an app.
    private static func post(_ installation: Installation, _ path: String, _ form: Form) throws -> BrokerResponse {
        var request = installation.tokenRequest(form)
        request.path = "/__/auth/" + path
        return try installation.respond(request)
    }

    /// A broker, an app that redeemed its code there, and the tokens.
    private static func redeemed(_ app: AppClient) throws -> (installation: Installation, tokens: JSONObject) {
        let installation = try Self.installation()
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        return (installation, try installation.redeem(code, app).json())
    }

    private static func text(_ name: String, of tokens: JSONObject) throws -> String {
        try #require(tokens[name]?.text?.makeString())
    }

    static let startRoutes = [
        Route(testDescription: "GET authorize", names: start, status: 303) { change in
            try Installation().get("/__/auth/authorize?" + Query.encode(change(AppClient.shop.parameters)))
        },
        Route(testDescription: "POST authorize", names: start, status: 303) { change in
            var browser = Browser(try Installation())
            return try browser.post(
                "/__/auth/authorize", change(AppClient.shop.parameters), site: .crossSite,
                origin: "https://shop.example")
        },
        Route(testDescription: "POST choose", names: ["login", "provider"], status: 303) { change in
            var browser = Browser(try Installation(providers: ["acme", "globex"]))
            let form = try PageForm(try browser.get(AppClient.shop.target()))
            return try browser.post(
                form.action, change(form.hidden + [("provider", "acme")]), site: .sameOrigin,
                origin: Installation.origin)
        },
        Route(testDescription: "GET login", names: ["to", "provider", "login_hint"], status: 303) { change in
            let installation = try Installation(signInHandlers: ["site": SignInHandler { _ in .redirect() }]) {
                var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
                site.kind = .inProcess
                $0.apps.append(site)
            }
            return try installation.get("/__/auth/login/site?" + Query.encode(change([("to", "/orders")])))
        },
    ]

    static let callbackRoutes = [
        Route(testDescription: "GET callback", names: AuthorizationResponse.names, status: 303) { change in
            var browser = Browser(try installation())
            return try browser.bring(change(try browser.authenticate()))
        },
        Route(testDescription: "POST callback", names: AuthorizationResponse.names, status: 303) { change in
            var browser = Browser(try installation(.codeIDToken, .formPost))
            return try browser.bringForm(change(try browser.authenticate()))
        },
        Route(testDescription: "callback by fragment", names: AuthorizationResponse.names, status: 303) { change in
            var browser = Browser(try installation(.idToken, .fragment))
            return try browser.bringFragment(change(try browser.authenticate()))
        },
        Route(testDescription: "POST continue", names: ["login", "action"], status: 303) { change in
            var browser = Browser(try installation())
            let form = try PageForm(try browser.bring(try browser.authenticate(.phone)))
            return try browser.post(form.action, change(form.hidden), site: .sameOrigin, origin: Installation.origin)
        },
    ]

    static let signOutRoutes = [
        Route(testDescription: "GET logout", names: signOut, status: 200) { change in
            let (installation, tokens) = try redeemed(.shop)
            let form = [
                ("id_token_hint", try text("id_token", of: tokens)), ("client_id", "shop"),
                ("post_logout_redirect_uri", afterwards), ("state", "s"),
            ]
            return try installation.get("/__/auth/logout?" + Query.encode(change(form)))
        },
        Route(testDescription: "POST logout", names: signOut, status: 200) { change in
            try post(
                try installation(), "logout",
                change([("client_id", "shop"), ("post_logout_redirect_uri", afterwards), ("state", "s")]))
        },
        Route(testDescription: "POST logout/confirm", names: ["logout"], status: 303) { change in
            var browser = Browser(try installation())
            let form = try PageForm(try browser.get("/__/auth/logout?client_id=shop"))
            return try browser.post(form.action, change(form.hidden), site: .sameOrigin, origin: Installation.origin)
        },
        Route(testDescription: "GET logout/done", names: ["state"], status: 303) { change in
            var browser = Browser(try installation())
            let target = "/__/auth/logout?client_id=shop&" + Query.encode([("post_logout_redirect_uri", afterwards)])
            let provider = try Location(try browser.submit(try browser.get(target)))
            let form = [("state", try #require(provider["state"]))]
            return try browser.get("/__/auth/logout/done?" + Query.encode(change(form)))
        },
    ]

    static let appRoutes = [
        Route(
            testDescription: "POST token",
            names: client + [
                "grant_type", "code", "redirect_uri", "code_verifier", "resource", "refresh_token", "scope",
            ], status: 200
        ) { change in
            let installation = try Self.installation()
            var browser = Browser(installation)
            let app = AppClient.back
            return try installation.token(change(app.tokenForm(try #require(try browser.signIn(app)["code"]))))
        },
        Route(
            testDescription: "POST credential",
            names: client + ["provider", "id_token", "authorization_code", "raw_nonce", "user", "resource"], status: 200
        ) { change in
            let setup = try AppleSetup()
            return try setup.post(
                "credential", change(setup.credentialForm(try setup.apple.credential())))
        },
        Route(
            testDescription: "POST revoke",
            names: client + ["token", "token_type_hint", "provider", "audience", "code", "id_token"], status: 200
        ) { change in
            let (installation, tokens) = try redeemed(.shop)
            let form = [("client_id", "shop"), ("token", try text("access_token", of: tokens))]
            return try post(installation, "revoke", change(form))
        },
        Route(testDescription: "POST introspect", names: client + ["token", "token_type_hint"], status: 200) { change in
            let (installation, tokens) = try redeemed(.back)
            let form = AppleSetup.confidential + [("token", try text("access_token", of: tokens))]
            return try post(installation, "introspect", change(form))
        },
        Route(testDescription: "POST userinfo", names: ["access_token", "unknown"], status: 200) { change in
            let (installation, tokens) = try redeemed(.shop)
            return try post(
                installation, "userinfo", change([("access_token", try text("access_token", of: tokens))]))
        },
    ]

    /// What a response says, without what differs each time.
    private static func said(_ response: BrokerResponse) throws -> [String] {
        var said = ["\(response.status)", response.heading ?? "no page"]
        if response.head.headerFields[.location] != nil {
            let location = try Location(response)
            said += [location.base] + location.query.names
            said += ["error", "error_description"].map { location[$0] ?? "none" }
        }
        if response.head.headerFields[.contentType] == "application/json" {
            let members = try response.json()
            said += members.members.map { $0.name.makeString() }
            said += ["error", "error_description"].map { members[$0]?.text?.makeString() ?? "none" }
        }
        return said
    }

    @Test(arguments: startRoutes + callbackRoutes + signOutRoutes + appRoutes)
    func `a parameter without a value counts as omitted`(route: Route) throws {
        #expect(try route.send { $0 }.status == route.status)
        for name in route.names {
            let omitted = try route.send { $0.filter { $0.0 != name } }
            let empty = try route.send { $0.filter { $0.0 != name } + [(name, "")] }
            #expect(try Self.said(empty) == Self.said(omitted), "\(name)")
        }
    }
}
