// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The token of the operator in the path, which an admin SDK has there if its emulator's host is `127.0.0.1:9099/TOKEN`.
struct PathTokenTests {
    private typealias Installation = AdminInstallation
    private static let prefix = "/" + Installation.token

    private static func lookup(
        _ prefix: String, at installation: Installation, authorization: String? = "Bearer owner",
        fields: HTTPFields = [:]
    ) async throws -> BrokerResponse {
        try await installation.respond(
            .post, prefix + Installation.accounts + "lookup", authorization: authorization, fields: fields,
            body: Array(#"{"localId":["a"]}"#.utf8))
    }

    @Test(arguments: ["Bearer owner", "Bearer ", "Bearer guess", nil] as [String?])
    func `it opens the admin operations, whatever the SDK sends beside it`(authorization: String?) async throws {
        let installation = try Installation()
        let person = try await installation.signIn(email: "ada@example.com")
        let response = try await installation.respond(
            .post, Self.prefix + Installation.accounts + "lookup", authorization: authorization,
            body: Array(#"{"email":["ada@example.com"]}"#.utf8))
        #expect(response.head.status == .ok)
        #expect(try installation.members(response).users.first?["localId"] == person["localId"])
        let page = try await installation.respond(
            .get, Self.prefix + Installation.accounts + "batchGet?maxResults=1", authorization: authorization)
        #expect(page.head.status == .ok)
    }

    private static let wrong: [String] = {
        let token = Installation.token
        let segments: [String] = [
            "", "a", "owner", token + "a", token.uppercased(), String(token.dropLast()),
            "%61" + String(token.dropFirst()),
        ]
        return segments.map { "/" + $0 }
    }()

    @Test(arguments: wrong)
    func `another one is refused, also beside the right one`(prefix: String) async throws {
        var installation = try Installation()
        installation.credentials = AdminCredentials(token: Secret(Installation.token), acceptsOwner: true)
        let authorizations = [nil, "Bearer owner", "Bearer " + Installation.token]
        for authorization in authorizations {
            let response = try await Self.lookup(prefix, at: installation, authorization: authorization)
            #expect(response.head.status == .unauthorized)
            #expect(try installation.members(response).message?.hasPrefix("UNAUTHENTICATED : ") == true)
        }
        installation.credentials = AdminCredentials(token: nil, acceptsOwner: false)
        #expect(try await Self.lookup(Self.prefix, at: installation).head.status == .unauthorized)
    }

    @Test func `it is one segment in front of the admin operations, and of nothing else`() async throws {
        let installation = try Installation()
        let wire = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=" + ToolkitInstallation.apiKey
        for target in [
            Self.prefix + Self.prefix + Installation.accounts + "lookup", Self.prefix + wire, Self.prefix,
            Self.prefix + "/",
            Self.prefix + "/__/auth/accounts/jwks",
        ] {
            #expect(try await installation.respond(.post, target).head.status == .notFound, "\(target)")
        }
        let another = try await installation.respond(
            .post, Self.prefix + "/identitytoolkit.googleapis.com/v1/projects/other/accounts:lookup")
        #expect(another.head.status == .forbidden)
    }

    @Test func `no web page has a part in it`() async throws {
        let installation = try Installation()
        for fields in [[.origin: ToolkitInstallation.origin], [.origin: "https://evil.example"]] as [HTTPFields] {
            #expect(try await Self.lookup(Self.prefix, at: installation, fields: fields).head.status == .forbidden)
        }
    }

    @Test func `an import may be long with it, and the line about a request does not have it`() throws {
        let installation = try Installation()
        let toolkit = try #require(installation.installation.broker.part(IdentityToolkit.self))
        let path = Installation.accounts + "batchCreate"
        func longest(_ prefix: String) -> Int? {
            let head = HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:9099", path: prefix + path,
                headerFields: [.authorization: "Bearer owner"])
            return toolkit.longestBody(of: BrokerRequest(head: head), admin: installation.credentials)
        }
        #expect(longest(Self.prefix) == AdminBatchCreateRequest.maximumBytes)
        #expect(longest("/guess") == nil && longest("") == nil)
        for prefix in ["", Self.prefix, "/guess"] { #expect(toolkit.loopbackAccessPath(of: prefix + path) == path) }
        #expect(toolkit.loopbackAccessPath(of: Self.prefix + "/else") == nil)
    }
}
