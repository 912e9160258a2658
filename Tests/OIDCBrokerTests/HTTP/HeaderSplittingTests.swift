// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// Values from apps and providers that are to split a header field.
struct HeaderSplittingTests {
    /// Every value of every field of a response is one line of printable ASCII.
    private func expectOneLine(_ response: BrokerResponse, _ context: String) {
        #expect(response.status < 500, "\(context)")
        for field in response.head.headerFields {
            #expect(field.value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(context) \(field.name)")
        }
        #expect(!response.setCookies.contains { $0.contains("evil") }, "\(context)")
    }

    private static let splits = ["\r\nSet-Cookie: evil=1", "\nx", "\r", "\u{0}", "\u{85}", "\u{2028}x", "\u{7f}"]

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing an app sends splits a field`(split: String) throws {
        let installation = try Installation(providers: ["acme", "globex"])
        for name in [
            "state", "nonce", "scope", "prompt", "login_hint", "provider", "client_id", "redirect_uri", "response_type",
            "code_challenge", "max_age", "acr_values", "ui_locales", "x" + split,
        ] {
            for value in ["a" + split, split + "a", split] {
                var changes: [String: String?] = [name: value]
                if name != "provider" { changes["provider"] = "acme" }
                expectOneLine(try installation.get(AppClient.shop.target(changes)), name)
            }
        }
        // The chooser seals the request as it came.
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target(["login_hint": split]))
        expectOneLine(page, "chooser")
        expectOneLine(try browser.submit(page, pressing: ("provider", "acme" + split)), "choice")
    }

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing a provider sends splits a field`(split: String) throws {
        let installation = try Installation()
        for name in ["code", "state", "iss", "error", "error_description", "id_token", "session_state"] {
            var browser = Browser(installation)
            let request = try browser.start()
            let good = try installation.provider.signIn(request)
            let response = good.filter { $0.0 != name } + [(name, "a" + split)]
            expectOneLine(try browser.bring(response), name)
        }
        for claims: JSONObject in [
            ["name": .string(split), "email": .string("a" + split)], ["sub": .string("ada" + split)],
        ] {
            installation.provider.behave { $0.claims = claims }
            var browser = Browser(installation)
            expectOneLine(try browser.bring(try browser.authenticate()), "claims")
        }
    }

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing in a provider's metadata splits a field`(split: String) throws {
        for member in ["authorization_endpoint", "token_endpoint", "issuer", "jwks_uri"] {
            let installation = try Installation()
            let url = "https://login.acme.example/x" + split
            installation.provider.behave { $0.metadata = [member: .string(url)] }
            let response = try installation.get(AppClient.shop.target())
            expectOneLine(response, member)
            #expect(try Location(response)["error"] == "temporarily_unavailable")
        }
    }
}
