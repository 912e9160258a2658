// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import NIOHTTP1
import Testing

@testable import oidc_broker_demo

/// What the sample app reads of the broker's answers about accounts, and how it shows them.
struct AccountPagesTests {
    @Test func `An account with markup in every text, as the page shows it`() throws {
        let profile = try #require(
            AccountProfile([
                "users": [
                    [
                        "localId": "<b>uid", "displayName": "<script>", "email": "\"><img>", "emailVerified": true,
                        "providerUserInfo": [
                            ["providerId": "apple.com", "rawId": "<i>one", "email": "<u>x"],
                            ["providerId": "<s>other", "rawId": "two"],
                        ],
                    ]
                ]
            ]))
        let page = SampleAppResponse.page(SampleAppPages.account(profile, token: SignInReport(), nil)).message.body
        for markup in ["<b>", "<script", "<img", "<i>", "<u>", "<s>"] { #expect(!page.contains(markup), "\(markup)") }
        #expect(page.contains("the mock Apple") && page.contains("&lt;i&gt;one") && page.contains("(verified)"))
        // Only Apple is linked.
        #expect(PageForm(html: page, id: "unlink-apple") != nil && PageForm(html: page, id: "link-apple") == nil)
        #expect(PageForm(html: page, id: "link-development") != nil)
        #expect(page.contains("Apple's grant is revoked first"))
    }

    @Test(
        arguments: [
            [:], ["users": []], ["users": [["localId": "a"], ["localId": "b"]]], ["users": [["email": "a"]]],
            ["users": "a"],
        ] as [JSONObject])
    func `Anything but exactly one account is not read`(answer: JSONObject) {
        #expect(AccountProfile(answer) == nil)
    }

    @Test(
        arguments: [
            (
                "{\"error\":{\"message\":\"OPERATION_NOT_ALLOWED : It is the last one : so.\"}}",
                .refused(code: "OPERATION_NOT_ALLOWED", detail: "It is the last one : so.")
            ),
            ("{\"error\":{\"message\":\"EMAIL_EXISTS\"}}", .refused(code: "EMAIL_EXISTS", detail: nil)),
            ("{\"error\":{}}", .unreadable), ("", .unreadable), ("<html>", .unreadable),
        ] as [(String, AccountsWireError)])
    func `Errors of the wire: the code and what it says to developers`(body: String, error: AccountsWireError) {
        #expect(AccountsWireError(status: .badRequest, body: Array(body.utf8)) == error)
    }

    @Test(
        arguments: [
            (.serviceUnavailable, .unavailable), (.forbidden, .refused(code: "TOKEN_EXPIRED", detail: nil)),
            (.internalServerError, .unreadable), (.badGateway, .unreadable), (.unauthorized, .unreadable),
            (.notFound, .unreadable), (.ok, .unreadable),
        ] as [(HTTPResponseStatus, AccountsWireError)])
    func `A message counts with status 400 and 403 only`(status: HTTPResponseStatus, error: AccountsWireError) {
        #expect(
            AccountsWireError(status: status, body: Array("{\"error\":{\"message\":\"TOKEN_EXPIRED\"}}".utf8)) == error)
    }

    @Test func `A failure is no refusal, and only four codes end the session`() {
        #expect(AccountsWireError(status: .serviceUnavailable, body: []) == .unavailable)
        for code in ["USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED", "INVALID_ID_TOKEN"] {
            #expect(AccountsWireError.refused(code: code, detail: nil).endsSession)
        }
        for error in [
            AccountsWireError.unavailable, .unreachable, .unreadable, .anotherPerson, .noCredential,
            .refused(code: "TOO_MANY_ATTEMPTS_TRY_LATER", detail: nil), .refused(code: "EMAIL_NOT_FOUND", detail: nil),
            .refused(code: "token_expired", detail: nil), .needsConfirmation(providers: ["apple.com"]),
        ] {
            #expect(!error.endsSession)
            #expect(!error.words.isEmpty)
        }
        #expect(AccountsWireError.needsConfirmation(providers: ["apple.com"]).words.contains("the mock Apple"))
    }

    @Test func `A failed check of the account's ID token is shown as one`() throws {
        let key = try SigningKey.generate(.es256)
        let set: JSONObject = ["keys": .array([.object(key.publicJWK)])]
        let keys = try KeySet(json: set.serialized())
        let expectation = ReceivedAccountToken.Expectation(issuer: "https://b/a", audience: "acme", uid: "u", now: 1000)
        let claims: JSONObject = ["iss": "https://b/a", "aud": "acme", "sub": "u", "exp": 1001]
        func outcomes(_ claims: JSONObject, by keys: KeySet?) throws -> [Bool] {
            ReceivedAccountToken(try key.sign(claims, type: "JWT")).validate(by: keys, expectation).checks.map(
                \.hasPassed)
        }
        let good = try outcomes(claims, by: keys)
        #expect(good == Array(repeating: true, count: DemoCheck.expectedTokenChecks))
        let wrongs: [(name: String, value: JSONValue)] = [
            ("iss", "https://b"), ("aud", "other"), ("sub", "v"), ("exp", 1000),
        ]
        for (position, wrong) in wrongs.enumerated() {
            var changed = claims
            changed[wrong.name] = wrong.value
            let found = try outcomes(changed, by: keys)
            #expect(found.indices.filter { !found[$0] } == [position + 1], "\(wrong.name)")
        }
        let withoutKeys = try outcomes(claims, by: nil)
        #expect(withoutKeys == Array(repeating: false, count: DemoCheck.expectedTokenChecks))
    }
}
