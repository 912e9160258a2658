// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Crypto
import Foundation
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// A browser with cookies at the handler page, and what an SDK does around it.
struct HandlerBrowser: Sendable {
    typealias Answer = (status: Int, members: JSONObject)

    static let handler = "/__/auth/handler"
    static let emulatorHandler = "/emulator/auth/handler"
    static let page = "https://app.example.com/app?a=1"
    /// A web app of another site.
    static let other = SDKApp(name: "other", apiKey: "other-4f1c000", authorizedDomains: ["other.example.com"])

    let installation: ToolkitInstallation
    // The SDKs' pages say nothing of Sec-Fetch-*, which the broker's own tests are about.
    private var browser = ActingBrowser(sendsFetchMetadata: false)
    private var tab = TabStorage()

    init(_ installation: ToolkitInstallation) { self.installation = installation }

    /// A broker with an app of each kind.
    static func installation(
        _ change: (inout ToolkitInstallation.Options) -> Void = { _ in }
    ) throws -> ToolkitInstallation {
        var options = ToolkitInstallation.Options()
        options.apps = [HandlerQueries.ios, HandlerQueries.android, other]
        change(&options)
        return try ToolkitInstallation(options: options)
    }

    // MARK: Requests

    /// - Parameter fields: Fields beside the cookies, or in their place.
    mutating func get(_ target: String, fields: [String: String] = [:]) async throws -> BrokerResponse {
        // By default a page tells others its origin.
        try await send(.get, target, [], ["Referer": "https://app.example.com/"].merging(fields) { $1 })
    }

    /// Sends the form of a page of the broker.
    mutating func submit(_ page: BrokerResponse, _ more: [(String, String)] = []) async throws -> BrokerResponse {
        let form = try #require(PageForm(html: String(buffer: page.body)))
        return try await send(
            .post, form.action, Array(Query.encode(form.hidden + more).utf8),
            [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": "https://auth.example.com",
            ])
    }

    private mutating func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: [UInt8], _ more: [String: String]
    ) async throws -> BrokerResponse {
        var fields: HTTPFields = [:]
        fields[.cookie] = cookies
        for (name, value) in more { fields[try #require(HTTPField.Name(name))] = value }
        let response = try await installation.respond(method, target, fields: fields, body: body)
        try browser.take(
            response.head.headerFields[values: .setCookie], host: "auth.example.com", isSecure: true,
            now: installation.clock.now())
        // A page whose script goes on is a redirect to what the script does.
        guard let next = tab.follow(html: String(buffer: response.body)) else { return response }
        var redirect = response
        redirect.head.status = .seeOther
        redirect.head.headerFields[.location] = next
        return redirect
    }

    /// The Cookie field of a navigation.
    var cookies: String? {
        browser.jar.field(
            host: "auth.example.com", path: "/", isSecure: true, isCrossSitePost: false, now: installation.clock.now())
    }

    // MARK: The SDKs

    /// What the SDK for JavaScript asks for. Of what the provider may not allow there is nothing.
    static func web(
        _ authType: AuthType = .signInViaPopup, _ changes: [String: String?] = [:]
    ) -> [(String, String)] {
        var base: [String: String?] = ["authType": authType.rawValue, "redirectUrl": page]
        base.merge(bare) { $1 }
        return HandlerQueries.pairs(HandlerQueries.javaScriptText, base.merging(changes) { $1 })
    }

    /// What the SDK for iOS asks for.
    static func ios(_ changes: [String: String?] = [:]) -> [(String, String)] {
        HandlerQueries.pairs(HandlerQueries.iosText, ["customParameters": nil].merging(changes) { $1 })
    }

    /// What the SDK for Android asks for.
    static func android(_ changes: [String: String?] = [:]) -> [(String, String)] {
        HandlerQueries.pairs(HandlerQueries.androidText, bare.merging(changes) { $1 })
    }

    private static let bare: [String: String?] = ["customParameters": nil, "scopes": nil]

    /// Starts a login: where the browser is sent.
    mutating func start(
        _ query: [(String, String)], at path: String = HandlerBrowser.handler
    ) async throws -> (base: String, query: Query) {
        let response = try await get(path + "?" + Query.encode(query))
        let location = try Self.location(response)
        let parts = location.split(separator: "?", maxSplits: 1)
        return (String(parts[0]), Query(parts.count == 2 ? parts[1] : ""))
    }

    /// The URL of the callback after the user signed in.
    mutating func authenticate(_ query: [(String, String)]) async throws -> String {
        let asked = try await start(query)
        let provider = try #require(installation.providers["oidc.acme"])
        #expect(asked.base == provider.issuer + "/authorize")
        return Self.handler + "?" + Query.encode(try provider.authorize(asked.query))
    }

    /// The URL of the callback after the provider said no.
    mutating func refuse(_ query: [(String, String)], _ error: String = "access_denied") async throws -> String {
        let asked = try await start(query)
        let provider = try #require(installation.providers["oidc.acme"])
        return Self.handler + "?" + Query.encode(provider.refuse(error, state: try #require(asked.query["state"])))
    }

    /// A whole login: the response to the callback.
    mutating func signIn(_ query: [(String, String)]) async throws -> BrokerResponse {
        let callback = try await authenticate(query)
        return try await get(callback)
    }

    /// The script of the page claims the result of a redirect: the response, and the verifier.
    mutating func claim(_ response: BrokerResponse) async throws -> (response: BrokerResponse, verifier: String) {
        let login = try #require(try Self.fragment(response)["login"])
        let verifier = Base64URL.encode(SecureRandom.bytes(32))
        return (try await get(Self.claimTarget(login, verifier)), verifier)
    }

    static func claimTarget(_ login: String, _ verifier: String) -> String {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        return "/__/auth/claim?login=\(login)&challenge=\(challenge)"
    }

    // MARK: What comes back

    static func location(_ response: BrokerResponse) throws -> String {
        #expect(response.head.status == .seeOther, "\(String(buffer: response.body))")
        return try #require(response.head.headerFields[.location])
    }

    /// The fragment of a redirect, read as the page's script reads it.
    static func fragment(_ response: BrokerResponse) throws -> Query {
        let location = try location(response)
        return Query(try #require(location.split(separator: "#", maxSplits: 1).dropFirst().first))
    }

    /// The event of a page, with the origin that gets it.
    static func event(_ response: BrokerResponse) throws -> (origin: String?, event: JSONObject) {
        let html = String(buffer: response.body)
        let block = try #require(
            html.firstMatch(of: /<script type="application\/json" id="auth-event">(.*?)<\/script>/), "\(html)")
        let data = try JSONParser.object(Array(block.1.utf8), limits: JSONLimits(maximumBytes: 65_536))
        return (data.string("origin"), try #require(data["authEvent"]?.objectValue))
    }

    /// Redeems a ticket.
    static func redeem(
        _ link: String?, session: String?, key: String = ToolkitInstallation.apiKey, idToken: String? = nil,
        at installation: ToolkitInstallation
    ) async throws -> Answer {
        var body: JSONObject = [
            "requestUri": .string(try #require(link)), "returnSecureToken": true, "returnIdpCredential": true,
        ]
        if let session { body["sessionId"] = .string(session) }
        if let idToken { body["idToken"] = .string(idToken) }
        let response = try await installation.respond(
            .post, ToolkitInstallation.toolkit + "accounts:signInWithIdp?key=" + key, body: body.serialized())
        let bytes = Array(response.body.readableBytesView)
        return (
            response.head.status.code,
            bytes.isEmpty ? [:] : try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
        )
    }
}
