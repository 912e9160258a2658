// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The response to a sign-in, as it is read.
struct SignInResponseTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// What a response gives that has only what it must have.
    static func enteredWithLeast() throws -> SignInResponse.Entered { try SignInResponseTests().entered("{\(least)}") }

    private func entered(_ json: String) throws -> SignInResponse.Entered {
        try WireResponse(status: 200, body: Data(json.utf8)).decoded(as: SignInResponse.self).entered(at: Self.now)
    }

    private static let least = """
        "providerId":"apple.com","localId":"u1","idToken":"i","refreshToken":"r","expiresIn":"3600"
        """

    @Test func `tokens, and nothing that is optional`() throws {
        let entered = try entered("{\(Self.least)}")
        #expect(entered.uid == "u1" && entered.providerID == "apple.com" && !entered.isNewUser)
        #expect(entered.tokens.expiresAt == Self.now.addingTimeInterval(3600))
        #expect(entered.profile.isEmpty && entered.providerTokens.idToken == nil)
    }

    @Test(arguments: ["providerId", "localId", "idToken", "refreshToken", "expiresIn"])
    func `a response without what it must have`(name: String) {
        let members = Self.least.split(separator: ",").filter { !$0.hasPrefix("\"\(name)\"") }
        let error = #expect(throws: AccountsError.self) { try entered("{\(members.joined(separator: ","))}") }
        #expect(error?.code == .unexpectedResponse)
    }

    @Test(arguments: ["0", "-1", "86401", "3600.5", "1e3", "", "soon", "99999999999999999999"])
    func `a lifetime that is none`(lifetime: String) {
        let error = #expect(throws: AccountsError.self) {
            try entered("{\(Self.least.replacingOccurrences(of: "3600", with: lifetime))}")
        }
        #expect(error?.code == .unexpectedResponse)
    }

    @Test func `the profile is the JSON in a text, of every type`() throws {
        let raw = #"{\"s\":\"x\",\"t\":true,\"i\":-3,\"d\":0.5,\"n\":null,\"a\":[1,\"2\"],\"o\":{\"k\":{}}}"#
        let entered = try entered("{\(Self.least),\"rawUserInfo\":\"\(raw)\"}")
        #expect(
            entered.profile == [
                "s": .string("x"), "t": .bool(true), "i": .integer(-3), "d": .number(0.5), "n": .null,
                "a": .array([.integer(1), .string("2")]), "o": .object(["k": .object([:])]),
            ])
        #expect(try self.entered("{\(Self.least),\"rawUserInfo\":\"{\"}").profile.isEmpty)
    }

    struct Conflict: Sendable, CustomTestStringConvertible {
        let members: String
        let code: AccountsError.Code
        var providers: [String] = []
        var testDescription: String { members }
    }

    static let conflicts = [
        Conflict(
            members: #""needConfirmation":true,"verifiedProvider":["oidc.acme"]"#,
            code: .accountExistsWithDifferentCredential, providers: ["oidc.acme"]),
        Conflict(
            members: #""errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED""#, code: .credentialAlreadyInUse),
        Conflict(members: #""errorMessage":"EMAIL_EXISTS""#, code: .emailAlreadyInUse),
    ]

    @Test(arguments: conflicts) func `a credential that did not sign in comes back`(row: Conflict) {
        // Tokens beside it would not be believed.
        let rest = #""providerId":"oidc.bold","email":"ada@example.com","pendingToken":"pending","idToken":"i""#
        let error = #expect(throws: AccountsError.self) { try entered("{\(row.members),\(rest)}") }
        #expect(error?.code == row.code && error?.email == "ada@example.com")
        #expect(error?.verifiedProviderIDs == row.providers)
        #expect(error?.updatedCredential == Credential(providerID: "oidc.bold", pendingToken: "pending"))
    }
}
