// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Foundation
import JOSE
import NIOPosix

@testable import AccountsClient

/// The system's browser, and the user in front of it: it follows redirects, and presses a button of the page that asks
/// whether to go back to the app.
struct TestBrowser: SignInBrowser {
    private static let http = HTTPClient(
        eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
    private static let longestWay = 10

    /// The name and value of the button; empty for the one that continues.
    var button: [(String, String)] = []

    func open(_ page: URL, until scheme: String) async throws -> URL? {
        let browser = HTTPBrowser(Self.http)
        var page = try await browser.open(page.absoluteString)
        for _ in 0..<Self.longestWay {
            if let location = page.location {
                if location.hasPrefix(scheme + ":") { return URL(string: location) }
                page = try await browser.open(location, from: page)
            } else if let form = PageForm(html: page.body) {
                page = try await browser.submit(form, of: page, button)
            } else {
                // The user closes a page that leads nowhere.
                return nil
            }
        }
        return nil
    }
}

/// A browser that the user closes at once.
struct ClosedBrowser: SignInBrowser {
    func open(_ page: URL, until scheme: String) async throws -> URL? { nil }
}

extension SessionID {
    /// Creates a random one, by the cryptography of the server.
    static func random() -> SessionID {
        let raw = UUID().uuidString
        let hashed = Hash.sha256(Array(raw.utf8)).map { String(format: "%02x", Int($0)) }.joined()
        return SessionID(raw: raw, hashed: hashed)
    }
}
