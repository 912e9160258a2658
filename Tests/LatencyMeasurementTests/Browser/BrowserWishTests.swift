// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct BrowserWishTests {
    private static let usual = BrowserConnections(group: .x25519)
    private static let full = "TLS 1.3, h2, X25519, TLS_AES_128_GCM_SHA256, ECDSA P-256"

    @Test func `a browser starts anew, goes to the provider, and resumes for the callback`() {
        let start = BrowserWish.start(Self.usual, .signIn, hasSession: true)
        #expect(start.text == "new X25519 close")
        #expect(start.handshake == Self.full)
        let callback = BrowserWish.callback(Self.usual)
        #expect(callback.text == "resumed X25519 close")
        #expect(callback.handshake == Self.full + ", resumed")
    }

    @Test func `a kept connection has one handshake, that of the start`() {
        let kept = BrowserConnections(group: .x25519MLKEM768, callback: .kept)
        #expect(BrowserWish.start(kept, .signIn, hasSession: false).text == "new X25519MLKEM768 keep")
        let callback = BrowserWish.callback(kept)
        #expect(callback.text == "kept X25519MLKEM768 close")
        #expect(callback.handshake == nil)
        #expect(callback.difference(from: nil) == nil)
        #expect(callback.difference(from: Self.full) != nil)
        // Nobody comes back for a start alone.
        #expect(BrowserWish.start(kept, .start, hasSession: false).afterwards == .close)
    }

    @Test func `the first resumed start has nothing to resume`() {
        let resumed = BrowserConnections(group: .x25519, start: .resumed)
        #expect(BrowserWish.start(resumed, .start, hasSession: false).opening == .new)
        #expect(BrowserWish.start(resumed, .start, hasSession: true).opening == .resumed)
        #expect(BrowserWish.start(Self.usual, .start, hasSession: true).opening == .new)
    }

    @Test func `a connection that stands open is held`() {
        #expect(BrowserWish.start(Self.usual, .start, hasSession: false, isHeld: true).text == "new X25519 hold")
    }

    /// Another group, a session that was not resumed, and one that was.
    @Test(arguments: [
        (BrowserConnections.Opening.new, "TLS 1.3, h2, CurveP256, TLS_AES_128_GCM_SHA256, ECDSA P-256"),
        (.new, "TLS 1.3, h2, X25519, TLS_AES_256_GCM_SHA384, ECDSA P-256"),
        (.new, "TLS 1.3, h2, X25519, TLS_AES_128_GCM_SHA256, RSA"),
        (.new, "TLS 1.3, h2, X25519, TLS_AES_128_GCM_SHA256, ECDSA P-256, second hello"),
        (.new, "TLS 1.3, h2, X25519, TLS_AES_128_GCM_SHA256, ECDSA P-256, resumed"),
        (.resumed, "TLS 1.3, h2, X25519, TLS_AES_128_GCM_SHA256, ECDSA P-256"),
    ])
    func `a handshake that differs is named`(opening: BrowserConnections.Opening, found: String) throws {
        let wish = BrowserWish.callback(BrowserConnections(group: .x25519, callback: opening))
        let difference = try #require(wish.difference(from: found))
        #expect(difference.contains(found))
        #expect(wish.difference(from: wish.handshake) == nil)
        #expect(wish.difference(from: nil) != nil)
        let errors = ["callback: status 500", "callback: \(difference)"]
        #expect(BrowserWish.difference(in: errors) == "callback: \(difference)")
        #expect(BrowserWish.difference(in: errors.prefix(1)) == nil)
    }

    @Test func `a load says which connections it has`() {
        var shape = LoadShape(concurrency: 64, algorithm: "RS256", isTLS: true, isHTTP2: true)
        shape.browser = Self.usual
        #expect(shape.title == "RS256, 64 at a time, HTTP/2, browser with X25519, start new, callback resumed")
        shape.extent = .start
        #expect(shape.title == "RS256, 64 at a time, start alone, HTTP/2, browser with X25519, start new")
    }
}
