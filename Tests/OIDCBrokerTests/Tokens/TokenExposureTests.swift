// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages

/// Tokens in places where they do not belong (RFC 9700 sections 4.3, 4.6, 4.9 and 4.14).
struct TokenExposureTests {
    @Test(.attack(.tokenInBrowserHistory))
    func `no token stands in a URL: the app gets a code for one use, or an error`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var locations = [try browser.signIn(.shop), try browser.signIn(.back), try browser.signIn(.desk)]
        installation.provider.behave { $0.claims = ["nonce": "x"] }
        locations.append(try browser.signIn(.shop))
        let known: Set = ["code", "state", "iss", "error", "error_description", "from"]
        for location in locations {
            #expect(known.isSuperset(of: location.query.names))
            #expect(!location.text.contains("#"))
            for token in installation.provider.issuedSecrets { #expect(!location.text.contains(token)) }
        }
    }

    // An app that may have no refresh tokens has none to steal, to reuse or to rotate.
    @Test(.attack(.stolenRefreshToken)) func `an app without refresh tokens gets none, and none is taken from it`()
        throws
    {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).json()["refresh_token"] == nil)
        let upstream = try #require(installation.provider.issuedSecrets.first { $0.hasPrefix("upstream-refresh") })
        let refused = try installation.token([
            ("grant_type", "refresh_token"), ("refresh_token", upstream), ("client_id", "shop"),
        ])
        #expect(try refused.json()["error"]?.text?.makeString() == "unsupported_grant_type")
    }

    @Test(.attack(.accessTokenInjection))
    func `an access token from the browser is ignored, and appears nowhere later`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.back
        let forged = [("access_token", "forged-token"), ("token_type", "Bearer"), ("expires_in", "3600")]
        let location = try Location(try browser.bring(try browser.authenticate(app) + forged))
        let response = try installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200)
        #expect(!response.text.contains("forged-token"))
        // Alone it is no response at all.
        let state = try browser.authenticate().filter { $0.0 != "code" }
        #expect(try browser.bring(state + forged).status == 400)
    }

    // Stolen tokens must be refused by resource servers; the broker is not one, and passes on the token's binding.
    @Test(.attack(.unboundAccessToken)) func `what binds a token to its holder is handed on as it came`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims = ["cnf": ["jkt": "thumbprint-of-a-key"]] }
        var browser = Browser(installation)
        let app = AppClient.back
        let response = try installation.redeem(try #require(try browser.signIn(app)["code"]), app).json()
        let claims = try #require(response["upstream"]?.objectValue?["claims"]?.objectValue)
        #expect(claims["cnf"]?.objectValue?["jkt"]?.text?.makeString() == "thumbprint-of-a-key")
    }
}
