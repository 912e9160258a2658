// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The member `postBody`, whose expected texts were made by another implementation of `encodeURIComponent`.
struct PostBodyTests {
    @Test func `Apple's credential with a name of every kind of character`() {
        let name = PersonNameComponents(givenName: "Zoë & =%+", familyName: "O'Neil \"שלום\"")
        let credential = Credential.apple(idToken: "a.b-c_d", rawNonce: "raw nonce+/=&%~!*'()", fullName: name)
        #expect(
            credential.postBody == "id_token=a.b-c_d&providerId=apple.com&nonce=raw%20nonce%2B%2F%3D%26%25~!*'()"
                + "&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Zo%C3%AB%20%26%20%3D%25%2B%22%2C%22lastName%22%3A%22"
                + "O'Neil%20%5C%22%D7%A9%D7%9C%D7%95%D7%9D%5C%22%22%7D%7D")
        #expect(credential.pendingToken == nil && credential.providerID == "apple.com")
    }

    static let names: [(PersonNameComponents, String?)] = [
        (PersonNameComponents(givenName: "Ada"), #"{"name":{"firstName":"Ada"}}"#),
        (PersonNameComponents(familyName: "Example"), #"{"name":{"lastName":"Example"}}"#),
        (PersonNameComponents(givenName: "", familyName: "Example"), #"{"name":{"lastName":"Example"}}"#),
        (PersonNameComponents(nickname: "Ada"), nil),
        (PersonNameComponents(), nil),
    ]

    @Test(arguments: names)
    func `a name has the present parts`(name: PersonNameComponents, json: String?) {
        #expect(AppleUser(name)?.json?.exposed == json)
    }

    @Test func `another provider's credential, with and without what is optional`() {
        let whole = Credential.openID(
            providerID: "oidc.acme", idToken: "a.b.c", rawNonce: "nonce", accessToken: "access/token")
        #expect(
            whole.postBody == "id_token=a.b.c&access_token=access%2Ftoken&providerId=oidc.acme&nonce=nonce")
        let least = Credential.openID(providerID: "oidc.acme", idToken: "a.b.c")
        #expect(least.postBody == "id_token=a.b.c&providerId=oidc.acme")
    }

    @Test func `what the server handed out goes back as it is`() async throws {
        let credential = Credential(providerID: "oidc.acme", pendingToken: "pending+/=")
        #expect(credential.postBody == nil && credential.pendingToken == "pending+/=")
        let stubbed = try StubbedClient()
        await stubbed.exchange.answer(.signIn, .error("INVALID_PENDING_TOKEN"))
        _ = try await code { try await stubbed.client.signIn(with: credential) }
        let requests = await stubbed.exchange.requests(.signIn)
        let body = try #require(requests.first).body
        #expect(body["pendingToken"] == .string("pending+/=") && body["postBody"] == nil)
    }
}
