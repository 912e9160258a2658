// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// What the loopback listener serves beside the admin operations, and what only it does.
struct LoopbackTests {
    private typealias Installation = AdminInstallation
    private static let lookup = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=" + ToolkitInstallation.apiKey

    @Test func `the wire is the same, and needs no token`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn(email: "ada@example.com")
        let body: JSONObject = ["idToken": person["idToken"] ?? ""]
        let response = try await installation.respond(
            .post, Self.lookup, authorization: nil, body: body.serialized())
        #expect(response.head.status == .ok)
        #expect(try installation.members(response).users.first?.string("email") == "ada@example.com")
        let keys = try await installation.respond(.get, "/__/auth/accounts/jwks", authorization: nil)
        #expect(keys.head.status == .ok)
        let unknown = try await installation.respond(
            .post, "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=guess", authorization: nil)
        #expect(try installation.members(unknown).message?.hasPrefix("API key not valid") == true)
    }

    @Test func `some tools ask whether the emulator is ready`() async throws {
        let installation = try Installation()
        let response = try await installation.respond(.get, "/", authorization: nil)
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(Array(response.body.readableBytesView) == Array(#"{"authEmulator":{"ready":true}}"#.utf8))
        #expect(try await installation.respond(.head, "/", authorization: nil).head.status == .ok)
        #expect(try await installation.respond(.post, "/").head.status == .methodNotAllowed)
    }

    @Test(
        arguments: [
            "/__/auth/handler", "/emulator/auth/handler",
            "/emulator/auth/handler?apiKey=a&sessionId=%00%EF%BF%BD&customParameters=%7B%7D",
            "/__/auth/handler?apiKey=a&redirectUrl=https%3A%2F%2Fevil.example%2F",
            "/emulator/auth/handler?//evil.example/@",
        ])
    func `a start goes to the public URL, with its path and query`(target: String) async throws {
        let installation = try Installation()
        for method in [HTTPRequest.Method.get, .head] {
            let response = try await installation.respond(method, target, authorization: nil)
            #expect(response.head.status == .seeOther)
            #expect(response.head.headerFields[.location] == "https://auth.example.com" + target)
            #expect(response.head.headerFields[.setCookie] == nil)
        }
        #expect(try await installation.respond(.post, target).head.status == .methodNotAllowed)
    }

    @Test(
        arguments: [
            "/__/auth/authorize?client_id=shop", "/__/auth/token", "/__/auth/jwks", "/__/auth/credential",
            "/__/auth/.well-known/openid-configuration", "/__/auth/revoke", "/emulator/auth/handler/", "//", "/x",
            "/identitytoolkit.googleapis.com/v1/accounts:lookup/", "/healthz", "/metrics", "/__/auth/claim",
        ])
    func `nothing else of the broker is there`(target: String) async throws {
        let installation = try Installation()
        for method in [HTTPRequest.Method.get, .post] {
            #expect(try await installation.respond(method, target).head.status == .notFound)
        }
        #expect(installation.installation.broker.part(IdentityToolkit.self)?.loopbackAccessPath(of: target) == nil)
    }

    @Test func `lines about requests show paths of a closed list`() throws {
        let toolkit = try #require(try Installation().installation.broker.part(IdentityToolkit.self))
        let own = [
            "/", "/__/auth/handler", "/emulator/auth/handler", "/securetoken.googleapis.com/v1/token",
            Installation.accounts + "lookup", Installation.accounts + "batchGet",
        ]
        for path in own { #expect(toolkit.loopbackAccessPath(of: path) == path) }
        let others = [
            "/identitytoolkit.googleapis.com/v1/projects/other-project/accounts:lookup",
            "/identitytoolkit.googleapis.com/v1/projects/acme-shop/accounts:secret", "/secret",
        ]
        for path in others { #expect(toolkit.loopbackAccessPath(of: path) == nil) }
    }

    // MARK: Other origins

    private func preflight(
        _ target: String, from origin: String, asksPrivately value: String? = "true"
    ) async throws -> HTTPFields {
        var fields: HTTPFields = [.origin: origin, .accessControlRequestMethod: "POST"]
        fields[.accessControlRequestPrivateNetwork] = value
        return try await Installation().respond(.options, target, authorization: nil, fields: fields).head.headerFields
    }

    @Test func `a page that may read responses may ask this machine, here only`() async throws {
        let allowed = try await preflight(Self.lookup, from: ToolkitInstallation.origin)
        #expect(allowed[.accessControlAllowOrigin] == ToolkitInstallation.origin)
        #expect(allowed[.accessControlAllowPrivateNetwork] == "true")
        let unasked = try await preflight(Self.lookup, from: ToolkitInstallation.origin, asksPrivately: nil)
        #expect(unasked[.accessControlAllowOrigin] != nil && unasked[.accessControlAllowPrivateNetwork] == nil)
        let other = try await preflight(Self.lookup, from: "https://evil.example")
        #expect(other[.accessControlAllowOrigin] == nil && other[.accessControlAllowPrivateNetwork] == nil)
        let onPublic = try await ToolkitInstallation().respond(
            .options, Self.lookup,
            fields: [.origin: ToolkitInstallation.origin, .accessControlRequestPrivateNetwork: "true"])
        #expect(onPublic.head.headerFields[.accessControlAllowOrigin] == ToolkitInstallation.origin)
        #expect(onPublic.head.headerFields[.accessControlAllowPrivateNetwork] == nil)
    }

    @Test func `no page may ask for an admin operation`() async throws {
        let installation = try Installation()
        for origin in [ToolkitInstallation.origin, "https://evil.example", "null"] {
            let fields = try await preflight(Installation.accounts + "lookup", from: origin)
            #expect(!fields.contains { $0.name.canonicalName.hasPrefix("access-control-") })
            let response = try await installation.respond(
                .get, Installation.accounts + "batchGet", fields: [.origin: origin])
            #expect(response.head.status == .forbidden)
            #expect(!response.head.headerFields.contains { $0.name.canonicalName.hasPrefix("access-control-") })
        }
    }

    // MARK: The public listener

    @Test func `on the public listener the admin operations are not there`() async throws {
        let installation = try ToolkitInstallation()
        let token: HTTPFields = [.authorization: "Bearer " + Installation.token]
        for path in ["lookup", "update", "delete", "batchDelete", "batchGet"].map({ Installation.accounts + $0 })
            + ["/identitytoolkit.googleapis.com/v1/projects/acme-shop/accounts", "/"]
        {
            #expect(!installation.broker.handles(path: path))
            for method in [HTTPRequest.Method.get, .post] {
                let response = try await installation.respond(method, path, fields: token)
                #expect(response.head.status == .notFound)
            }
        }
    }
}
