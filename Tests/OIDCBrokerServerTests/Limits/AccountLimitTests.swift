// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

/// The limits on accounts, sessions and waiting credentials, over real sockets.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AccountLimitTests {
    private static let crowd = "198.51.100.1"
    private static let other = "198.51.100.2"

    @Test func `eleven /64s of one /56 make no more accounts than one address, and another network makes its own`()
        async throws
    {
        try await AccountFixture.run { accounts in
            try await accounts.open { connection in
                for number in 0..<60 {
                    let client = "2001:db8:0:\(number % 11)::1"
                    let made = try await accounts.signIn("user-\(number)", from: client, on: connection)
                    #expect(made.status == 200)
                }
                for client in ["2001:db8:0:9::1", "2001:db8:0:11::1"] {
                    let refused = try await accounts.signIn("one-more", from: client, on: connection)
                    #expect(refused.status == 400 && refused.message == "TOO_MANY_ATTEMPTS_TRY_LATER")
                }
                // A user who has an account signs in.
                #expect(try await accounts.signIn("user-1", from: "2001:db8:0:9::1", on: connection).status == 200)
                #expect(try await accounts.signIn("one-more", from: "2001:db8:1::1", on: connection).status == 200)
            }
        }
    }

    @Test func `a session's lookups are refused from any address, and another one's refresh passes`() async throws {
        try await AccountFixture.run { accounts in
            try await accounts.open { connection in
                let crowd = try await accounts.signIn("ada", from: Self.crowd, on: connection)
                let other = try await accounts.signIn("grace", from: Self.crowd, on: connection)
                for _ in 0..<120 {
                    #expect(try await accounts.lookup(crowd, from: Self.crowd, on: connection).status == 200)
                }
                for client in [Self.crowd, Self.other] {
                    let refused = try await accounts.lookup(crowd, from: client, on: connection)
                    // An empty 503 signs no user out.
                    #expect(refused.status == 503 && refused.members == [:])
                }
                #expect(try await accounts.refresh(other, from: Self.crowd, on: connection).status == 200)
                #expect(try await accounts.lookup(other, from: Self.crowd, on: connection).status == 200)
            }
        }
    }

    @Test func `an identity's sign-ins at one app from one address hold it up neither elsewhere nor at another app`()
        async throws
    {
        try await AccountFixture.run { accounts in
            try await accounts.open { connection in
                for _ in 0..<30 {
                    #expect(try await accounts.signIn("ada", from: Self.crowd, on: connection).status == 200)
                }
                let refused = try await accounts.signIn("ada", from: Self.crowd, on: connection)
                #expect(refused.status == 400 && refused.message == "TOO_MANY_ATTEMPTS_TRY_LATER")
                #expect(try await accounts.signIn("ada", at: .desk, from: Self.crowd, on: connection).status == 200)
                #expect(try await accounts.signIn("ada", from: Self.other, on: connection).status == 200)
            }
        }
    }

    // MARK: What waits

    private func withBrowsers(
        _ accounts: AccountFixture, _ body: (_ make: () -> HTTPBrowser) async throws -> Void
    ) async throws {
        let http = try HTTPBrowser.makeHTTPClient(trusting: accounts.server.certificate.certificatePEM)
        try await attempt {
            try await body { HTTPBrowser(http) }
        } finally: {
            try await http.shutdown()
        }
    }

    @Test func `a browser keeps the last four of 33 unclaimed results, and its user is never refused`()
        async throws
    {
        try await AccountFixture.run { accounts in
            try await withBrowsers(accounts) { makeBrowser in
                let (elsewhere, browser) = (makeBrowser(), makeBrowser())
                let first = try await accounts.redirect(elsewhere)
                var results: [Query] = []
                for _ in 0..<33 {
                    results.append(try await accounts.redirect(browser))
                    #expect(results.last?["oidc-broker"] == "done")
                }
                // The cookies of these are still there.
                for (number, result) in results.enumerated().suffix(6) {
                    let claimed = try await accounts.claim(result, browser)
                    #expect(claimed["oidc-broker"] == (number < 29 ? nil : "ticket"), "\(number)")
                }
                // The same user in another browser loses nothing.
                #expect(try await accounts.claim(first, elsewhere)["oidc-broker"] == "ticket")
            }
        }
    }

    @Test func `results that wait for a page fill a room of their own, and sign-ins at the same provider get codes`()
        async throws
    {
        try await AccountFixture.run(storeBytes: 8 << 20) { accounts in
            try await withBrowsers(accounts) { makeBrowser in
                accounts.provider.behave {
                    $0.changeTokenResponse = { $0["access_token"] = .string(String(repeating: "a", count: 30_000)) }
                }
                // 3/16 of 8 MiB: less than 51 of 30 KB. Without a room of their own, there would be more than twice as many.
                var kept = 0
                while kept < 80 {
                    accounts.provider.behave { $0.claims = ["sub": .string("user-\(kept)")] }
                    guard try await accounts.redirect(makeBrowser())["oidc-broker"] == "done" else { break }
                    kept += 1
                }
                #expect((40..<51).contains(kept))
                let browser = makeBrowser()
                let url = AppClient.publicApp.authorizationURL(issuer: accounts.server.issuer, AppClient.Attempt())
                let callback = try await accounts.comeBack(browser, to: try await browser.open(url))
                #expect(callback.location?.contains("?code=") == true)
            }
        }
    }
}
