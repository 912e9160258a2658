// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The page that begins a sign-in in a browser, and the link that ends it.
struct BrowserSignInTests {
    private static let ticket = "https://auth.example.com/__/auth/handler?ticket=ticket-1"
    private static let front = "app-1-123-ios-abc://firebaseauth/link"

    private func server(appID: String? = "1:123:ios:abc", bundleID: String? = "com.example.shop") throws
        -> AccountServer
    {
        try AccountServer(
            url: try #require(URL(string: StubbedClient.url)), apiKey: StubbedClient.apiKey, bundleID: bundleID,
            appID: appID, exchange: StubExchange())
    }

    private func signIn(_ provider: OAuthProvider = OAuthProvider("oidc.acme")) throws -> BrowserSignIn {
        try BrowserSignIn(
            provider, at: try server(), boundTo: SessionID(raw: "raw-session", hashed: "hashed-session"),
            eventID: "event-1")
    }

    /// A link as the server writes it.
    private static func link(_ pairs: [(String, String)], front: String = front) -> String {
        let query = pairs.map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
        return front + "?deep_link_id="
            + PercentEncoding.encode("https://auth.example.com/__/auth/callback?" + query)
    }

    private static func pairs(eventID: String = "event-1", _ more: (String, String)...) -> [(String, String)] {
        [("authType", "signInWithRedirect"), ("eventId", eventID)] + more
    }

    // MARK: The page

    @Test func `the page is told the hash of the session ID, and by what the app is known`() throws {
        var provider = OAuthProvider("oidc.acme")
        let bare = try #require(URLComponents(url: try signIn(provider).page, resolvingAgainstBaseURL: false))
        #expect(bare.scheme == "https" && bare.host == "auth.example.com" && bare.path == "/emulator/auth/handler")
        var expected = [
            "apiKey": StubbedClient.apiKey, "authType": "signInWithRedirect", "providerId": "oidc.acme",
            "sessionId": "hashed-session", "eventId": "event-1", "ibi": "com.example.shop", "appId": "1:123:ios:abc",
        ]
        let items = try #require(bare.queryItems)
        #expect(Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 } == expected && items.count == expected.count)

        provider.scopes = ["email", "groups"]
        provider.customParameters = ["prompt": "login", "login_hint": "a+b & \u{E9}"]
        let whole = try #require(URLComponents(url: try signIn(provider).page, resolvingAgainstBaseURL: false))
        expected["scopes"] = "email,groups"
        expected["customParameters"] = "{\"login_hint\":\"a+b & \u{E9}\",\"prompt\":\"login\"}"
        #expect(Dictionary((whole.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 } == expected)
    }

    @Test func `two sign-ins have two event IDs`() throws {
        let session = SessionID(raw: "raw", hashed: "hashed")
        let pages = try (0..<2).map { _ in
            try BrowserSignIn(OAuthProvider("oidc.acme"), at: try server(), boundTo: session).page
        }
        #expect(pages[0] != pages[1])
    }

    @Test(arguments: [
        ("1:123:ios:abc", "appId", "app-1-123-ios-abc"),
        ("123-abc.apps.googleusercontent.com", "clientId", "com.googleusercontent.apps.123-abc"),
        (String(repeating: "a", count: 128), "clientId", String(repeating: "a", count: 128)),
    ])
    func `the scheme follows from the ID`(id: String, parameter: String, scheme: String) throws {
        let link = try #require(AppLink(id: id))
        #expect(link.parameter == parameter && link.scheme == scheme && link.front == scheme + "://firebaseauth/link")
    }

    @Test(arguments: [
        "", "1", "com.1", "com.example.", "a b", "a/b", "A.b", "schl\u{FC}ssel", String(repeating: "a", count: 129),
    ])
    func `an ID from which no scheme follows`(id: String) throws {
        #expect(AppLink(id: id) == nil)
        let error = #expect(throws: AccountsError.self) { try server(appID: id) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `an app without an ID or a bundle ID shows no page`() throws {
        for server in [try server(appID: nil), try server(bundleID: nil)] {
            let error = #expect(throws: AccountsError.self) {
                try BrowserSignIn(OAuthProvider("oidc.acme"), at: server, boundTo: SessionID(raw: "r", hashed: "h"))
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    // MARK: The link

    @Test func `the credential is the ticket as it came, with the raw session ID`() throws {
        let url = try #require(URL(string: Self.link(Self.pairs(("link", Self.ticket)))))
        let credential = try signIn().credential(of: url)
        let request = SignInRequest(credential)
        #expect(credential.providerID == "oidc.acme" && request.postBody == "providerId=oidc.acme")
        #expect(request.requestUri == Self.ticket && request.sessionId == "raw-session")
        #expect(request.pendingToken == nil && request.idToken == nil && request.autoCreate == nil)
    }

    @Test func `a plus in the query is a space, and the first of two values counts`() throws {
        let callback = "https://auth.example.com/c?authType=signInWithRedirect&eventId=event-1&eventId=2&link=a+b%2Bc"
        let url = try #require(URL(string: Self.front + "?deep_link_id=" + PercentEncoding.encode(callback)))
        #expect(SignInRequest(try signIn().credential(of: url)).requestUri == "a b+c")
    }

    static let refused = [
        link(pairs(("link", ticket)), front: "app-1-123-ios-abd://firebaseauth/link"),
        link(pairs(("link", ticket)), front: "app-1-123-ios-abc://firebaseauth.example/link"),
        link(pairs(("link", ticket)), front: "app-1-123-ios-abc://firebaseauth/link/"),
        link(pairs(("link", ticket)), front: "https://firebaseauth/link"),
        link(pairs(eventID: "event-2", ("link", ticket))),
        link([("authType", "signInWithRedirect"), ("link", ticket)]),
        link([("authType", "signInViaPopup"), ("eventId", "event-1"), ("link", ticket)]),
        link([("eventId", "event-1"), ("link", ticket)]),
        link(pairs()),
        link(pairs(("firebaseError", "no JSON"))),
        link(pairs(("firebaseError", #"{"code":"auth/something-new","message":"Do this."}"#))),
        front, front + "?link=x", front + "?deep_link_id=", front + "?deep_link_id=%20",
        link(pairs(("link", ticket), ("x", String(repeating: "x", count: BrowserSignIn.longestLink)))),
    ]

    @Test(arguments: refused) func `what is not the link of this sign-in`(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: AccountsError.self) { try signIn().credential(of: url) }
        #expect(error?.code == .unexpectedResponse)
    }

    @Test func `a link of the longest length is read`() throws {
        let bare = Self.link(Self.pairs(("link", Self.ticket), ("x", "")))
        let room = BrowserSignIn.longestLink - bare.utf8.count
        let (longest, tooLong) = (
            bare + String(repeating: "x", count: room), bare + String(repeating: "x", count: room + 1)
        )
        #expect(throws: Never.self) { try signIn().credential(of: try #require(URL(string: longest))) }
        #expect(throws: AccountsError.self) { try signIn().credential(of: try #require(URL(string: tooLong))) }
    }

    @Test(arguments: [
        ("auth/user-cancelled", AccountsError.Code.userCanceled), ("auth/invalid-credential", .invalidCredential),
        ("auth/operation-not-allowed", .operationNotAllowed), ("auth/invalid-oauth-provider", .operationNotAllowed),
        ("auth/argument-error", .invalidArgument), ("auth/network-request-failed", .networkUnavailable),
        ("auth/internal-error", .networkUnavailable),
    ])
    func `the error in a link has a code`(event: String, code: AccountsError.Code) throws {
        let error = #"{"code":"\#(event)","message":"Ask the operator."}"#
        let url = try #require(URL(string: Self.link(Self.pairs(("firebaseError", error)))))
        let thrown = #expect(throws: AccountsError.self) { try signIn().credential(of: url) }
        #expect(thrown?.code == code && thrown?.message == "Ask the operator.")
    }
}
