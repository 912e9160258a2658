// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import Logging
import MetricsTestKit
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import IdentityToolkit

/// Who may not ask for an admin operation, and what is not offered.
struct AdminRefusalTests {
    private typealias Installation = AdminInstallation
    private static let operations = ["lookup", "update", "delete", "batchDelete"]

    // MARK: The token

    private static let wrong: [String?] = {
        let token = Installation.token
        let presented: [String] = [
            "", "owner", " " + token, token + "a", "a" + token, String(token.dropLast()), token.uppercased(),
            token + ", Bearer " + token, "\u{e4}", String(repeating: "a", count: 5000),
        ]
        return [nil, "", "Bearer", token, "Basic " + token] + presented.map { "Bearer " + $0 }
    }()

    @Test(arguments: wrong) func `without the token nothing is told or changed`(authorization: String?) async throws {
        let installation = try Installation()
        let uid = try await installation.signIn()["localId"] ?? ""
        let contents = installation.installation.store.contents
        for operation in Self.operations {
            let body: JSONObject = [
                "localId": operation == "lookup" ? .array([uid]) : uid, "localIds": .array([uid]), "force": true,
                "disableUser": true,
            ]
            let refused = try await installation.call(operation, body, authorization: authorization)
            #expect(refused.status == 401)
            #expect(refused.members.message?.hasPrefix("UNAUTHENTICATED : ") == true)
            #expect(refused.members["error"]?.objectValue?["status"] == "UNAUTHENTICATED")
        }
        for path in ["accounts:batchGet", "accounts", "tenants/t/accounts:lookup"] {
            let response = try await installation.respond(
                .get, "/identitytoolkit.googleapis.com/v1/projects/\(Installation.projectID)/" + path,
                authorization: authorization)
            #expect(response.head.status == .unauthorized)
            #expect(response.head.headerFields[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
        }
        #expect(installation.installation.store.contents == contents)
    }

    @Test func `two Authorization fields are none`() async throws {
        let installation = try Installation()
        var fields: HTTPFields = [:]
        for _ in 0..<2 { fields.append(HTTPField(name: .authorization, value: "Bearer " + Installation.token)) }
        let response = try await installation.respond(
            .get, Installation.accounts + "batchGet", authorization: nil, fields: fields)
        #expect(response.head.status == .unauthorized)
    }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER "]) func `the scheme has no case`(scheme: String) async throws {
        let found = try await Installation().call(
            "lookup", ["localId": ["a"]], authorization: scheme + Installation.token)
        #expect(found.status == 200)
    }

    @Test func `the word owner does only where the operator says so`() async throws {
        var installation = try Installation()
        func status(_ authorization: String) async throws -> Int {
            try await installation.call("lookup", ["localId": ["a"]], authorization: authorization).status
        }
        #expect(try await status("Bearer owner") == 401)
        installation.credentials = AdminCredentials(token: Secret(Installation.token), acceptsOwner: true)
        for (word, expected) in [("owner", 200), ("Owner", 401), ("owner2", 401)] {
            #expect(try await status("Bearer " + word) == expected, "\(word)")
        }
        #expect(try await status("Bearer " + Installation.token) == 200)
        installation.credentials = AdminCredentials(token: nil, acceptsOwner: true)
        #expect(try await status("Bearer owner") == 200)
        #expect(try await status("Bearer " + Installation.token) == 401)
        installation.credentials = AdminCredentials(token: nil, acceptsOwner: false)
        for word in ["owner", Installation.token, ""] { #expect(try await status("Bearer " + word) == 401) }
    }

    @Test(
        arguments: [
            (String(repeating: "a", count: 31), false), (String(repeating: "a", count: 32), true),
            (String(repeating: "a", count: 512), true), (String(repeating: "a", count: 513), false),
            ("AZaz09-._~+/AZaz09-._~+/AZaz09-=", true), (String(repeating: "=", count: 32), false),
            ("a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
            ("\u{e4}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("owner", false), ("", false),
        ])
    func `a token is long, and of the characters of a bearer token`(text: String, isToken: Bool) {
        #expect(AdminCredentials.isToken(text) == isToken)
    }

    @Test func `guesses are limited, and the token goes on to work`() async throws {
        var options = ToolkitInstallation.Options()
        options.requestLimits.failuresPerSecond = 1
        options.requestLimits.failuresBurst = 3
        options.hasTestClockOnly = true
        var installation = try Installation(options: options)
        installation.installation.client = IPAddress("127.0.0.1")
        func guess() async throws -> BrokerResponse {
            try await installation.respond(.get, Installation.accounts + "batchGet", authorization: "Bearer guess")
        }
        for _ in 0..<3 { #expect(try await guess().head.status == .unauthorized) }
        let limited = try await guess()
        #expect(limited.head.status == .badRequest && limited.head.headerFields[.retryAfter] != nil)
        #expect(try installation.members(limited).message == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(try await installation.page().status == 200)
        // What is refused of somebody who has the token does not count.
        for _ in 0..<5 { #expect(try await installation.call("delete", ["localId": "nobody"]).status == 400) }
        installation.installation.clock.advance(by: 1)
        #expect(try await guess().head.status == .unauthorized)
    }

    // MARK: What is not offered

    @Test func `another project is refused`() async throws {
        let installation = try Installation()
        for project in ["acme-shop2", "acme-sho", "ACME-SHOP", "", "acme%2Dshop"] {
            let response = try await installation.respond(
                .post, "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:lookup",
                body: Array(#"{"localId":["a"]}"#.utf8))
            #expect(response.head.status == .forbidden, "\(project)")
            let message = try installation.members(response).message
            #expect(message?.hasPrefix("INSUFFICIENT_PERMISSION : ") == true)
        }
    }

    @Test(
        arguments: [
            ("v1", "/accounts"), ("v1", ""), ("v1", ":createSessionCookie"), ("v1", "/accounts:batchCreate"),
            ("v1", "/accounts:sendOobCode"), ("v1", "/accounts:query"), ("v1", "/tenants/t/accounts:lookup"),
            ("v1", "/accounts:lookup/"), ("v1", "/accounts:Lookup"), ("v1", "/accounts%3Alookup"),
            ("v2", "/oauthIdpConfigs"), ("v2", "/config"), ("v2", "/accounts:lookup"), ("v1", "/accounts:unsupported"),
        ])
    func `the rest of the admin API is 501`(version: String, end: String) async throws {
        let installation = try Installation()
        for method in [HTTPRequest.Method.get, .post, .patch, .delete] {
            let response = try await installation.respond(
                method, "/identitytoolkit.googleapis.com/\(version)/projects/\(Installation.projectID)\(end)",
                body: Array("{}".utf8))
            #expect(response.head.status == .notImplemented)
            let error = try installation.members(response)["error"]?.objectValue
            #expect(error?["code"] == 501 && error?["status"] == "UNIMPLEMENTED")
            #expect(error?.string("message")?.hasPrefix("NOT_IMPLEMENTED : ") == true)
        }
    }

    @Test func `another method is 405`() async throws {
        let installation = try Installation()
        for (operation, method, allowed) in [
            ("lookup", HTTPRequest.Method.get, "POST"), ("update", .options, "POST"), ("batchGet", .post, "GET"),
        ] {
            let response = try await installation.respond(method, Installation.accounts + operation)
            #expect(response.head.status == .methodNotAllowed)
            #expect(response.head.headerFields[.allow] == allowed)
        }
    }

    // MARK: Requests that cannot be done

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
        ("update", #"{"localId":"UID","mfa":{}}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","deleteAttribute":["EMAIL"]}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","deleteProvider":["oidc.acme"]}"#, "OPERATION_NOT_ALLOWED"),
        ("update", #"{"localId":"UID","disableUser":1}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","displayName":"a\nb"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","photoUrl":"http://a/b"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":-1}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":1.5}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":"soon"}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","validSince":1000000000000000}"#, "INVALID_ARGUMENT"),
        ("update", #"{"localId":"UID","customAttributes":"[]"}"#, "INVALID_CLAIMS"),
        ("update", #"{"localId":"UID","customAttributes":"{"}"#, "INVALID_CLAIMS"),
        ("update", #"{"localId":"UID","customAttributes":"{\"sub\":1}"}"#, "INVALID_CLAIMS"),
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

    @Test func `claims of 1,000 bytes, and one more`() async throws {
        let installation = try Installation()
        let uid = try await installation.signIn()["localId"] ?? ""
        func claims(_ count: Int) -> JSONValue {
            .string(#"{"a":""# + String(repeating: "b", count: count - 8) + #""}"#)
        }
        let most = try await installation.call("update", ["localId": uid, "customAttributes": claims(1000)])
        #expect(most.status == 200)
        let more = try await installation.call("update", ["localId": uid, "customAttributes": claims(1001)])
        #expect(more.status == 400 && more.members.message?.hasPrefix("CLAIMS_TOO_LARGE : ") == true)
    }

    @Test(
        arguments: [
            "?maxResults=0", "?maxResults=1001", "?maxResults=-1", "?maxResults=many", "?maxResults=1&maxResults=2",
            "?nextPageToken=n%C3%B6", "?nextPageToken=a%20b", "?nextPageToken=" + String(repeating: "a", count: 129),
        ])
    func `a page that cannot be had is refused`(query: String) async throws {
        let (status, members) = try await Installation().page(query)
        #expect(status == 400 && members.message?.hasPrefix("INVALID_ARGUMENT : ") == true)
    }

    // MARK: Record and trouble

    @Test func `changes are audited with the account, and what is refused without the token too`() async throws {
        let (audit, metrics) = (CapturedAudit(), TestMetrics())
        var options = ToolkitInstallation.Options()
        (options.auditLogger, options.metrics) = (audit.logger, metrics)
        let installation = try Installation(options: options)
        let uid = try #require(try await installation.signIn(email: "ada@example.com").string("localId"))
        _ = try await installation.call("lookup", ["localId": .array([.string(uid)])])
        _ = try await installation.call("lookup", ["localId": ["a"]], authorization: "Bearer owner")
        _ = try await installation.call("update", ["localId": .string(uid), "displayName": "Ada"])
        _ = try await installation.call("update", ["localId": "nobody"])
        _ = try await installation.call("batchDelete", ["localIds": .array([.string(uid)]), "force": true])
        _ = try await installation.call("delete", ["localId": .string(uid)])
        let lines = audit.lines.dropFirst()
        #expect(
            lines.map { $0.message } == [
                "refused", "account_admin_update", "account_admin_update", "account_admin_delete",
                "account_admin_delete",
            ])
        #expect(
            lines.map { $0.metadata["auth.outcome"] } == [
                "admin_unauthenticated", "succeeded", "refused", "succeeded", "refused",
            ])
        #expect(lines.map { $0.metadata["auth.account"] } == [nil, uid, nil, uid, nil])
        #expect(lines.allSatisfy { $0.metadata["auth.app"] == nil })
        #expect(!"\(lines)".contains(Installation.token) && !"\(lines)".contains("ada@example.com"))
        func total(_ operation: String, _ outcome: String) throws -> Int64 {
            try metrics.expectCounter(
                "auth_account_operations", [("operation", operation), ("outcome", outcome)]
            ).totalValue
        }
        for (operation, outcome) in [
            ("admin_lookup", "succeeded"), ("admin_lookup", "refused"), ("admin_update", "succeeded"),
            ("admin_update", "refused"), ("admin_batch_delete", "succeeded"), ("admin_delete", "refused"),
        ] {
            #expect(try total(operation, outcome) == 1, "\(operation) \(outcome)")
        }
    }

    @Test func `the labels are lower case, and each operation has its own`() {
        let labels = AdminOperation.allCases.map(\.label)
        let all = labels + ToolkitOperation.allCases.map(\.label)
        #expect(Set(all).count == all.count)
        for label in labels { #expect(label.wholeMatch(of: /admin_[a-z_]+/) != nil) }
    }

    @Test func `trouble of the store is an empty 503`() async throws {
        var options = ToolkitInstallation.Options()
        options.accounts = BrokenAccountStore()
        let installation = try Installation(options: options)
        for operation in Self.operations {
            let json = operation == "lookup" ? #"{"localId":["a"]}"# : #"{"localId":"a","localIds":["a"]}"#
            let response = try await installation.respond(
                .post, Installation.accounts + operation, body: Array(json.utf8))
            #expect(response.head.status == .serviceUnavailable && response.body.readableBytes == 0)
        }
        #expect(try await installation.page().status == 503)
    }

    /// A store that cannot be reached.
    private struct BrokenAccountStore: AccountStore {
        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "the disk is full"))
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            eventLoop.makeSucceededFuture(0)
        }
    }
}
