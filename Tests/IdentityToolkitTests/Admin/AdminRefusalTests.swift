// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords

/// Who may not ask for an admin operation, and what is not offered.
struct AdminRefusalTests {
    private typealias Installation = AdminInstallation
    private static let operations = ["lookup", "update", "delete", "batchDelete", "batchCreate"]

    // MARK: The token

    private static let wrong: [String?] = {
        let token = Installation.token
        let presented: [String] = [
            "", "owner", "\t" + token, token + "a", "a" + token, String(token.dropLast()), token.uppercased(),
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
        // Refusals of a client with the token do not count.
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
            ("v1", "", "The operation"), ("v2", ":createSessionCookie", "createSessionCookie"),
            ("v1", "/accounts:sendOobCode", "sendOobCode"), ("v1", "/accounts:query", "query"),
            ("v1", "/tenants/t/accounts:lookup", "Managing tenants"), ("v1", "/else", "The operation"),
            ("v2", "/oauthIdpConfigs", "Configuring OpenID Providers"),
            ("v2", "/config", "Changing the configuration of a project"),
        ])
    func `the rest of the admin API is refused by its name`(
        version: String, end: String, name: String
    ) async throws {
        let installation = try Installation()
        for method in [HTTPRequest.Method.get, .post, .patch, .delete] {
            let response = try await installation.respond(
                method, "/identitytoolkit.googleapis.com/\(version)/projects/\(Installation.projectID)\(end)",
                body: Array("{}".utf8))
            #expect(response.head.status == .badRequest)
            #expect(
                try installation.members(response).message == "OPERATION_NOT_ALLOWED : \(name) is not offered here.")
        }
    }

    @Test(arguments: [("v1", "lookup/"), ("v1", "Lookup"), ("v2", "lookup"), ("v1", "unsupported")])
    func `what is nearly an operation is none`(version: String, name: String) async throws {
        let installation = try Installation()
        let response = try await installation.respond(
            .post, "/identitytoolkit.googleapis.com/\(version)/projects/\(Installation.projectID)/accounts:\(name)",
            body: Array("{}".utf8))
        #expect(try installation.members(response).message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
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
}
