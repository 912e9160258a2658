// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import Testing

// Many sign-ins at a time: bare requests, whose outcome alone is checked.

extension AppleFixture {
    /// A callback that is ready to be sent.
    struct Callback: Sendable {
        /// The `Cookie` field of the browser that began the login.
        let cookie: String
        /// The form that Apple's page posts.
        let body: String
    }

    /// How a callback ended.
    struct CallbackEnd: Sendable, Hashable {
        let status: Int
        let location: String?

        /// Whether the browser was sent to the app with a code.
        var isSignedIn: Bool { status == 303 && location?.contains("code=") == true }

        /// Whether the user was signed in, or would have been except for the limit on their unredeemed credentials,
        /// since the load of a test is that of one user.
        var isVerified: Bool { isSignedIn || location?.contains("Too%20many%20sign-ins") == true }
    }

    /// Begins a sign-in in a new browser, up to Apple's form for the broker.
    func prepareCallback() async throws -> Callback {
        let url = AppClient.publicApp.authorizationURL(issuer: issuer, AppClient.Attempt())
        let start = try await http.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
        _ = try await start.body.collect(upTo: 65_536)
        try #require(start.status == .seeOther)
        let cookie = try #require(start.headers.first(name: "set-cookie")).prefix { $0 != ";" }
        let location = try #require(start.headers.first(name: "location"))
        let page = try await http.execute(HTTPClientRequest(url: location), timeout: .seconds(30))
        let html = String(buffer: try await page.body.collect(upTo: 1 << 20))
        let fields = try #require(PageForm(html: html)).hidden
        try #require(fields.contains { $0.0 == "code" } && fields.contains { $0.0 == "state" }, "\(html)")
        return Callback(cookie: String(cookie), body: FormURLEncoding.encode(fields))
    }

    /// Sends a callback, as the browser does for Apple's page.
    func send(_ callback: Callback) async throws -> CallbackEnd {
        var request = HTTPClientRequest(url: callbackURL)
        request.method = .POST
        request.headers = [
            "content-type": "application/x-www-form-urlencoded", "origin": apple.issuer, "cookie": callback.cookie,
            "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "cross-site",
        ]
        request.body = .bytes(ByteBuffer(string: callback.body))
        let response = try await http.execute(request, timeout: .seconds(120))
        _ = try await response.body.collect(upTo: 65_536)
        return CallbackEnd(
            status: Int(response.status.code), location: response.headers.first(name: "location"))
    }

    /// Prepares so many, a few at a time.
    func prepareCallbacks(_ count: Int) async throws -> [Callback] {
        try await withThrowingTaskGroup(of: Callback.self) { group in
            var callbacks: [Callback] = []
            for _ in 0..<min(16, count) { group.addTask { try await prepareCallback() } }
            var started = min(16, count)
            while let callback = try await group.next() {
                callbacks.append(callback)
                guard started < count else { continue }
                started += 1
                group.addTask { try await prepareCallback() }
            }
            return callbacks
        }
    }
}
