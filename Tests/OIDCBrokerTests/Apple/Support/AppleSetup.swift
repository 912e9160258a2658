// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import SingleUse
import Testing
import Tracing

/// A broker whose provider is Apple, with what apps and Apple send it.
struct AppleSetup {
    let installation: Installation
    let apple: StubApple

    /// - Parameters:
    ///   - providers: further providers, before Apple.
    ///   - person: The user who signs in.
    init(
        providers: [String] = [],
        person: Int = 0,
        writesBooleansAsText: Bool = false,
        store: (any SingleUseStore)? = nil,
        notificationHandler: (any NotificationHandler)? = nil,
        extensions: [any StubExtension] = [],
        tracer: (any Tracer)? = nil,
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws {
        let clock = TestClock()
        apple = try StubApple(clock: clock, person: person, writesBooleansAsText: writesBooleansAsText)
        installation = try Installation(
            providers: providers, apple: apple, clock: clock, store: store,
            notificationHandler: notificationHandler, extensions: extensions, tracer: tracer,
            configure: configure)
    }

    // MARK: The web

    /// Begins a sign-in and lets the user sign in at Apple: the fields that come back with the browser.
    func authenticate(_ browser: inout Browser, _ app: AppClient = .shop) throws -> [(String, String)] {
        try apple.signIn(try browser.start(app))
    }

    /// A whole sign-in by the browser, and what the app gets for it.
    func signIn(
        _ app: AppClient = .shop, _ change: (inout [(String, String)]) throws -> Void = { _ in }
    ) throws -> JSONObject {
        var browser = Browser(installation)
        var fields = try authenticate(&browser, app)
        try change(&fields)
        let location = try Location(try browser.bringForm(fields))
        let response = try installation.redeem(try #require(location["code"], "\(location.text)"), app)
        #expect(response.status == 200)
        return try response.json()
    }

    // MARK: Apps

    /// Returns the response to a form of an app.
    func post(
        _ path: String, _ form: [(String, String)], fields: HTTPFields = [:], from client: IPAddress? = nil
    ) throws -> BrokerResponse {
        var request = installation.tokenRequest(form, fields: fields)
        request.client = client
        request.path = "/__/auth/" + path
        return try installation.respond(request)
    }

    /// The form of a native credential, of the public app.
    func credentialForm(
        _ credential: (idToken: String, code: String), rawNonce: String? = "raw-nonce-of-the-app", hasCode: Bool = true,
        user: String? = nil
    ) -> [(String, String)] {
        [("client_id", "shop"), ("provider", "apple"), ("id_token", credential.idToken)]
            + (hasCode ? [("authorization_code", credential.code)] : [])
            + (rawNonce.map { [("raw_nonce", $0)] } ?? []) + (user.map { [("user", $0)] } ?? [])
    }

    /// The client id and secret of the app that is not public.
    static let confidential = [("client_id", "back-office"), ("client_secret", Installation.backSecret)]

    // MARK: Apple

    /// The request with which Apple posts a notification.
    static func notificationRequest(_ body: String, provider: String = "apple") -> BrokerRequest {
        BrokerRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example.com",
                path: "/__/auth/notifications/" + provider, headerFields: [.contentType: "application/json"]),
            body: ByteBuffer(string: body))
    }

    /// Returns the response to a notification.
    func notify(_ body: String, provider: String = "apple") throws -> BrokerResponse {
        try installation.respond(Self.notificationRequest(body, provider: provider))
    }

    /// The claims of an ID token of the broker.
    func claims(of response: JSONObject) throws -> JSONObject {
        let token = try #require(response["id_token"]?.text?.makeString())
        let keys = try KeySet(json: Array(try installation.get("/__/auth/jwks").text.utf8))
        return try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256]).claims
    }
}
