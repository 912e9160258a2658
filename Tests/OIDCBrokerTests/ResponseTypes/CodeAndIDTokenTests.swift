// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// A provider that responds with a code and an ID token.
struct CodeAndIDTokenTests {
    static func installation(
        _ mode: ResponseMode = .formPost, providers: [String] = ["acme"],
        configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        try Installation(providers: providers) {
            $0.providers[0].configuration.responseType = .codeIDToken
            $0.providers[0].configuration.responseMode = mode
            configure(&$0)
        }
    }

    /// A callback that is taken and found wrong: the app is told, and the provider is asked for no token.
    private func expectRefusal(
        _ installation: Installation, outcome: String,
        _ change: (inout [(String, String)]) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var browser = Browser(installation)
        var response = try browser.authenticate()
        change(&response)
        let location = try Location(try browser.bringForm(response), sourceLocation: sourceLocation)
        #expect(location["error"] == "server_error", sourceLocation: sourceLocation)
        #expect(location["code"] == nil, sourceLocation: sourceLocation)
        #expect(installation.provider.count("/token") == 0, sourceLocation: sourceLocation)
        #expect(installation.log.outcomes == [outcome], sourceLocation: sourceLocation)
        #expect(browser.jar.cookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `is asked for both, with a nonce, by the mode that is configured`() throws {
        var browser = Browser(try Self.installation())
        let request = try browser.start()
        #expect(request["response_type"] == "code id_token")
        #expect(request["response_mode"] == "form_post")
        #expect(request["nonce"]?.count == 43)
        #expect(request["code_challenge_method"] == "S256")
    }

    @Test func `signs in: the code is exchanged, and the claims are those of the token endpoint`() throws {
        let installation = try Self.installation()
        installation.provider.behave { $0.frontChannelClaims = ["name": "Name in front"] }
        var browser = Browser(installation)
        let app = AppClient.back
        let location = try Location(try browser.bringForm(try browser.authenticate(app)))
        let code = try #require(location["code"])
        #expect(installation.log.outcomes == ["signed_in"])
        #expect(installation.provider.count("/token") == 1)
        let response = try installation.redeem(code, app).json()
        let upstream = try #require(response["upstream"]?.objectValue)
        #expect(upstream["claims"]?.objectValue?["name"]?.text?.makeString() == "Ada Lovelace")
        let front = try #require(installation.provider.issuedSecrets.first { $0.split(separator: ".").count == 3 })
        #expect(upstream["id_token"]?.text?.makeString() != front)
    }

    @Test(arguments: [nil, "", "x", "wrong"])
    func `whose code's hash is wrong or missing is refused before the exchange`(value: String?) throws {
        let installation = try Self.installation()
        let hash = value.map { $0 == "wrong" ? String(repeating: "A", count: 22) : $0 }
        installation.provider.behave { $0.frontChannelClaims["c_hash"] = hash.map { JSONValue.string($0) } ?? .null }
        try expectRefusal(installation, outcome: "failed_id_token")
    }

    @Test func `whose code is another one than the ID token's is refused before the exchange`() throws {
        let installation = try Self.installation()
        try expectRefusal(installation, outcome: "failed_id_token") { $0[0].1 = "another-code" }
    }

    @Test(
        arguments: ["iss", "aud", "sub", "nonce", "exp", "iat", "azp", "s_hash"])
    func `whose ID token in front lies is refused before the exchange`(name: String) throws {
        let installation = try Self.installation()
        installation.provider.behave { $0.frontChannelClaims = [name: name == "sub" ? .null : "wrong"] }
        try expectRefusal(installation, outcome: "failed_id_token")
    }

    @Test(.attack(.unsignedToken))
    func `whose ID token in front is of a key that is not published, or of none, is refused before the exchange`()
        throws
    {
        let strange = try Self.installation()
        strange.provider.behave { $0.frontChannelKey = strange.provider.strangeKey }
        try expectRefusal(strange, outcome: "failed_id_token")
        // The same claims, unsigned.
        let unsigned = try Self.installation()
        try expectRefusal(unsigned, outcome: "failed_id_token") { response in
            let payload = String(response[3].1.split(separator: ".")[1])
            response[3].1 = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + payload + "."
        }
    }

    @Test(.attack(.tokenOfAnotherClient))
    func `an ID token that is another login's, or another client's, is refused before the exchange`() throws {
        let installation = try Self.installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        var victim = Browser(installation)
        var response = try victim.authenticate()
        response[0] = stolen[0]
        response[3] = stolen[3]
        let location = try Location(try victim.bringForm(response))
        #expect(location["error"] == "server_error")
        #expect(installation.provider.count("/token") == 0)
        #expect(installation.log.text.contains("nonce"))
    }

    @Test func `whose two ID tokens are not of one user is refused`() throws {
        let installation = try Self.installation()
        installation.provider.behave { $0.frontChannelClaims = ["sub": "somebody-else"] }
        var browser = Browser(installation)
        let location = try Location(try browser.bringForm(try browser.authenticate()))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
        #expect(installation.log.outcomes == ["failed_id_token"])
    }

    @Test(arguments: ["code", "id_token"])
    func `with a missing part: a page, and nothing is used up`(name: String) throws {
        let installation = try Self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let page = try browser.bringForm(response.filter { $0.0 != name })
        #expect(page.status == 400)
        #expect(installation.log.outcomes == ["unreadable"])
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bringForm(response).status == 303)
    }

    @Test(.attack(.duplicateResponseParameter), arguments: ["code", "id_token"])
    func `with a duplicate part: a page, and nothing is used up`(name: String) throws {
        let installation = try Self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let page = try browser.bringForm(response + response.filter { $0.0 == name })
        #expect(page.status == 400)
        #expect(installation.log.outcomes == ["unreadable"])
        #expect(try browser.bringForm(response).status == 303)
    }

    @Test(.attack(.responseModeDowngrade))
    func `in the query it is refused, in any requested mode: no token is ever in a query that is accepted`() throws {
        let installation = try Self.installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        #expect(try browser.bring(response).status == 400)
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(throws: BrokerConfigurationError.self) { try Self.installation(.query) }
    }

    @Test(.attack(.withheldCookie))
    func `where the browser withholds the cookie, the ID token goes along with the code once more`() throws {
        let installation = try Self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let response = try browser.authenticate()
        let page = try browser.bringForm(response)
        let form = try PageForm(page)
        for (name, value) in response { #expect(form.hidden.contains { $0 == (name, value) }) }
        #expect(try browser.submit(page).status == 303)
        #expect(installation.log.outcomes == ["reposting", "signed_in"])
    }

    @Test func `an error is one, and an ID token beside it changes nothing`() throws {
        let installation = try Self.installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let response = try installation.provider.refuse(request, "access_denied") + [("id_token", "x")]
        let location = try Location(try browser.bringForm(response))
        #expect(location["error"] == "access_denied")
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `another's iss is refused before the exchange`() throws {
        let installation = try Self.installation()
        try expectRefusal(installation, outcome: "failed_authorization") { $0[2].1 = "https://login.evil.example" }
    }

    @Test
    func `that was changed to do so in between: the login ends in "start again", and nothing is used up`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var browser = Browser(installation)
        let response = try browser.authenticate()
        var changed = installation.configuration
        changed.providers[0].configuration.responseType = .codeIDToken
        try installation.broker.reload(changed)
        #expect(try browser.bringForm(response).heading == "Please start again")
        #expect(installation.log.outcomes == ["changed"])
        try installation.broker.reload(installation.configuration)
        #expect(try browser.bringForm(response).status == 303)
    }
}
