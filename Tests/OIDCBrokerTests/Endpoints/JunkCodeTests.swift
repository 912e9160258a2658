// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// What an attacker provokes at a provider does not stop other users.
struct JunkCodeTests {
    /// How a provider ends a token request with a code that it never issued.
    struct Ending: Sendable, CustomStringConvertible {
        let description: String
        let result: Result<ProviderResponse, ProviderTransportError>

        init(status: Int, retryAfter: String? = nil) {
            description = "status \(status), Retry-After \(retryAfter ?? "absent")"
            result = .success(
                ProviderResponse(
                    status: status, contentType: nil, body: ByteBuffer(string: "{}"), retryAfter: retryAfter))
        }

        init(_ error: ProviderTransportError) {
            description = error.description
            result = .failure(error)
        }
    }

    /// An attacker returns with a cookie of their own and an invented code.
    private func bringJunk(_ installation: Installation) throws {
        var stranger = Browser(installation)
        let response = try stranger.authenticate().map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
        let location = try Location(try stranger.bring(response))
        #expect(location["code"] == nil)
        #expect(location["error"] != nil)
    }

    @Test(
        arguments: [
            Ending(status: 500), Ending(status: 502), Ending(status: 503), Ending(status: 429, retryAfter: "300"),
            Ending(status: 503, retryAfter: "86400"), Ending(.timedOut), Ending(.interrupted),
        ])
    func `junk codes that the provider answers with failures, and honest sign-ins between them`(ending: Ending) throws {
        let installation = try Installation()
        installation.provider.behave { $0.junkResponse = ending.result }
        for _ in 1...5 {
            for _ in 1...10 { try bringJunk(installation) }
            var browser = Browser(installation)
            #expect(try browser.signIn()["code"] != nil)
        }
        #expect(installation.provider.count("/token") == 55)
    }

    @Test(arguments: [429, 503])
    func `pushed requests that the provider answers with failures, and then one that it takes`(status: Int) throws {
        let installation = try Installation { $0.providers[0].configuration.pushedAuthorization = true }
        installation.provider.behave { behavior in
            let endpoint = installation.provider.issuer + "/par"
            behavior.metadata = ["pushed_authorization_request_endpoint": .string(endpoint)]
            behavior.responses["/par"] = .json(["error": "temporarily_unavailable"], status: status)
        }
        for _ in 1...10 {
            var stranger = Browser(installation)
            #expect(try stranger.start()["error"] != nil)
        }
        installation.provider.behave { $0.responses["/par"] = nil }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test(
        arguments: [3600, -3600, 86_400, -86_400, 315_360_000, -315_360_000] as [Int64])
    func `a wall clock that is set an hour, a day and ten years: nothing is fetched anew, and new logins succeed`(
        seconds: Int64
    ) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        installation.clock.step(by: seconds)
        var next = Browser(installation)
        #expect(try next.signIn()["code"] != nil)
        #expect(installation.provider.count("/.well-known/openid-configuration") == 1)
        #expect(installation.provider.count("/jwks") == 1)
    }
}
