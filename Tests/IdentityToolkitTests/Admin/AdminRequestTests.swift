// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Requests for admin operations that cannot be done, and the limits of those that can.
struct AdminRequestTests {
    private typealias Installation = AdminInstallation

    private static let refused: [(operation: String, body: String, code: String)] = [
        ("lookup", "", "INVALID_ARGUMENT"), ("lookup", "{}", "INVALID_ARGUMENT"), ("lookup", "[", "INVALID_ARGUMENT"),
        ("lookup", #"{"localId":"a"}"#, "INVALID_ARGUMENT"), ("lookup", #"{"localId":[{}]}"#, "INVALID_ARGUMENT"),
        ("lookup", #"{"federatedUserId":["a"]}"#, "INVALID_ARGUMENT"),
        ("lookup", #"{"federatedUserId":[{"providerId":"oidc.acme"}]}"#, "INVALID_ARGUMENT"),
        ("lookup", #"{"federatedUserId":[{"rawId":"a"}]}"#, "INVALID_ARGUMENT"),
        ("lookup", #"{"localId":["a"],"tenantId":"t"}"#, "UNSUPPORTED_TENANT_OPERATION"),
        ("update", "{}", "MISSING_LOCAL_ID"), ("update", #"{"localId":"nobody"}"#, "USER_NOT_FOUND"),
        ("update", #"{"localId":"n\u00f6"}"#, "USER_NOT_FOUND"),
        ("update", #"{"localId":"UID","email":"a@b"}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","password":"secret"}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","phoneNumber":"+1"}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","emailVerified":true}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","linkProviderUserInfo":{}}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","mfa":{"enrollments":[{"phoneInfo":"+1"}]}}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","mfa":[]}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","createdAt":"1"}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","lastLoginAt":"1"}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","deleteAttribute":["EMAIL"]}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","deleteProvider":["oidc.acme"]}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","disableUser":1}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","displayName":"a\u0007b"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","photoUrl":"//a/b"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":-1}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":1.5}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":"soon"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":1000000000000000}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","customAttributes":"[]"}"#, "INVALID_CLAIMS"),
        ("update", #"{"localId":"UID","customAttributes":"{"}"#, "INVALID_CLAIMS"),
        ("update", #"{"localId":"UID","customAttributes":"{\"a\":1,\"sub\":1}"}"#, "FORBIDDEN_CLAIM"),
        ("update", #"{"localId":"UID","customAttributes":"{\"a\":1,\"a\":2}"}"#, "INVALID_CLAIMS"),
        ("update", #"{"localId":"UID","customAttributes":{}}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","tenantId":"t"}"#, "UNSUPPORTED_TENANT_OPERATION"),
        ("delete", "{}", "MISSING_LOCAL_ID"), ("delete", #"{"localId":["a"]}"#, "INVALID_ARGUMENT"),
        ("batchDelete", "{}", "MISSING_LOCAL_ID"), ("batchDelete", #"{"localIds":[]}"#, "MISSING_LOCAL_ID"),
        ("batchDelete", #"{"localIds":"UID"}"#, "INVALID_ARGUMENT"),
        ("batchDelete", #"{"localIds":["UID"],"force":"perhaps"}"#, "INVALID_ARGUMENT"),
    ]

    @Test(arguments: refused.indices) func `a request with a mistake changes nothing`(index: Int) async throws {
        let (operation, body, code) = Self.refused[index]
        let installation = try Installation()
        let uid = try #require(try await installation.signIn().string("localId"))
        let contents = installation.installation.store.contents
        let response = try await installation.respond(
            .post, Installation.accounts + operation, body: Array(body.replacing("UID", with: uid).utf8))
        #expect(response.head.status == .badRequest)
        let message = try #require(try installation.members(response).message)
        #expect(message == code || message.hasPrefix(code + " : "), "\(message)")
        #expect(installation.installation.store.contents == contents)
    }

    @Test func `100 keys of a lookup and 1,000 accounts of a deletion, and one more`() async throws {
        let installation = try Installation()
        func names(_ count: Int) -> JSONValue { .array((0..<count).map { .string("nobody-\($0)") }) }
        #expect(try await installation.call("lookup", ["localId": names(100)]).status == 200)
        #expect(try await installation.call("lookup", ["localId": names(101)]).status == 400)
        #expect(try await installation.call("lookup", ["localId": names(100), "email": ["a@b"]]).status == 400)
        #expect(try await installation.call("batchDelete", ["localIds": names(1000)]).status == 200)
        #expect(try await installation.call("batchDelete", ["localIds": names(1001)]).status == 400)
    }

    /// Of one and of three bytes each; and two that count as four characters, as they do for Google.
    @Test(arguments: [("b", 992), ("\u{4E2D}", 992), ("\u{1F600}", 496)])
    func `claims of 1,000 characters, and one more`(character: String, count: Int) async throws {
        let installation = try Installation()
        let uid = try await installation.signIn()["localId"] ?? ""
        func claims(_ rest: String) -> JSONValue {
            .string(#"{"a":""# + String(repeating: character, count: count) + rest + #""}"#)
        }
        let most = try await installation.call("update", ["localId": uid, "customAttributes": claims("")])
        #expect(most.status == 200)
        let more = try await installation.call("update", ["localId": uid, "customAttributes": claims("b")])
        #expect(more.status == 400 && more.members.message?.hasPrefix("CLAIMS_TOO_LARGE : ") == true)
    }

    @Test func `a reserved claim is named`() async throws {
        let installation = try Installation()
        let uid = try await installation.signIn()["localId"] ?? ""
        let refused = try await installation.call(
            "update", ["localId": uid, "customAttributes": #"{"role":"a","firebase":{}}"#])
        #expect(refused.members.message == "FORBIDDEN_CLAIM : firebase")
    }

    @Test(arguments: ["{}", #"{"enrollments":null}"#, #"{"enrollments":[]}"#])
    func `second factors that are not there are removed`(factors: String) async throws {
        let installation = try Installation()
        let uid = try await installation.signIn().string("localId") ?? ""
        let response = try await installation.respond(
            .post, Installation.accounts + "update", body: Array(#"{"localId":"\#(uid)","mfa":\#(factors)}"#.utf8))
        #expect(response.head.status == .ok)
    }

    @Test(
        arguments: [
            "?maxResults=0", "?maxResults=1001", "?maxResults=-1", "?maxResults=many", "?maxResults=1&maxResults=2",
            "?nextPageToken=n%C3%B6", "?nextPageToken=ada", "?nextPageToken=AWFkYQAAAAA", "?nextPageToken=a%20b",
            "?nextPageToken=" + String(repeating: "a", count: 129),
        ])
    func `a page that cannot be had is refused`(query: String) async throws {
        let (status, members) = try await Installation().page(query)
        #expect(status == 400 && members.message?.hasPrefix("INVALID_ARGUMENT : ") == true)
    }
}
