// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import Testing

@Suite struct AccountExpectationTests {
    private static let signedIn: JSONObject = [
        "localId": "uid-1", "federatedId": "sub-1", "idToken": "aa.bb.cc", "refreshToken": "r-1", "isNewUser": true,
    ]

    private static func response(_ body: JSONObject, status: Int = 200) -> TargetResponse {
        TargetResponse(status: status, body: body.serialized())
    }

    private static func without(_ name: String, _ object: JSONObject) -> JSONObject {
        var object = object
        object[name] = nil
        return object
    }

    private static func with(_ name: String, _ value: JSONValue, _ object: JSONObject) -> JSONObject {
        var object = object
        object[name] = value
        return object
    }

    private static func fault(_ expectation: AccountExpectation, _ response: TargetResponse) -> String? {
        do {
            _ = try expectation.reply(in: response)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `the first sign-in of a user makes an account`() throws {
        let reply = try AccountExpectation.newAccount(subject: "sub-1").reply(in: Self.response(Self.signedIn))
        #expect(reply == AccountReply(uid: "uid-1", idToken: "aa.bb.cc", refreshToken: "r-1"))
    }

    @Test(arguments: [
        ("isNewUser", "not isNewUser"), ("localId", "no account"), ("federatedId", "another subject"),
        ("idToken", "no ID token"), ("refreshToken", "no refresh token"),
    ])
    func `each member of a sign-in is looked at`(member: String, fault: String) {
        let response = Self.response(Self.without(member, Self.signedIn))
        #expect(Self.fault(.newAccount(subject: "sub-1"), response) == fault)
    }

    @Test func `a known user has the same account, and is not said to be new`() {
        let known = Self.without("isNewUser", Self.signedIn)
        let expectation = AccountExpectation.account(uid: "uid-1", subject: "sub-1")
        #expect(Self.fault(expectation, Self.response(known)) == nil)
        #expect(Self.fault(expectation, Self.response(Self.signedIn)) == "isNewUser of a known user")
        // The mere presence of it means a new account to the SDKs.
        let denied = Self.with("isNewUser", false, known)
        #expect(Self.fault(expectation, Self.response(denied)) == "isNewUser of a known user")
        let other = Self.with("localId", "uid-2", known)
        #expect(Self.fault(expectation, Self.response(other)) == "another account")
    }

    @Test func `a lookup returns exactly one account, the right one`() {
        let expectation = AccountExpectation.profile(uid: "uid-1")
        func users(_ ids: [String]) -> TargetResponse {
            Self.response(["users": .array(ids.map { .object(["localId": .string($0)]) })])
        }
        #expect(Self.fault(expectation, users(["uid-1"])) == nil)
        #expect(Self.fault(expectation, users(["uid-2"])) == "another account")
        #expect(Self.fault(expectation, users([])) == "not exactly one account")
        #expect(Self.fault(expectation, users(["uid-1", "uid-1"])) == "not exactly one account")
    }

    @Test func `a refresh returns new ID tokens and the refresh token that was sent`() throws {
        let body: JSONObject = [
            "user_id": "uid-1", "refresh_token": "r-1", "id_token": "aa.bb.cc", "access_token": "aa.bb.cc",
        ]
        let expectation = AccountExpectation.tokens(uid: "uid-1", refreshToken: "r-1")
        let reply = try expectation.reply(in: Self.response(body))
        #expect(reply.idToken == "aa.bb.cc")
        #expect(Self.fault(expectation, Self.response(Self.with("user_id", "uid-2", body))) == "another account")
        let other = Self.with("refresh_token", "r-2", body)
        #expect(Self.fault(expectation, Self.response(other)) == "another refresh token")
        #expect(Self.fault(expectation, Self.response(Self.with("access_token", "x", body))) == "no ID token")
    }

    @Test func `an error is named by its status and code, and nothing else of it`() {
        let envelope: JSONObject = [
            "error": ["code": 400, "message": "INVALID_IDP_RESPONSE : The ID token could not be verified (nonce)."]
        ]
        let expectation = AccountExpectation.newAccount(subject: "sub-1")
        #expect(
            Self.fault(expectation, Self.response(envelope, status: 400)) == "status 400 INVALID_IDP_RESPONSE")
        #expect(Self.fault(expectation, TargetResponse(status: 503)) == "status 503")
        #expect(Self.fault(expectation, TargetResponse(status: 200, body: Array("<html>".utf8))) == "no JSON object")
    }

    @Test func `what must be refused is not counted as refused by a failure`() {
        let envelope: JSONObject = ["error": ["code": 400, "message": "INVALID_ID_TOKEN"]]
        #expect(Self.fault(.refusal, Self.response(envelope, status: 400)) == nil)
        #expect(Self.fault(.refusal, Self.response(Self.signedIn)) == AccountFault.accepted.description)
        #expect(Self.fault(.refusal, TargetResponse(status: 503)) == "status 503")
    }
}
