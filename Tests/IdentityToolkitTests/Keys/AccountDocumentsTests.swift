// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import Signing
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The published documents, as any verifier reads them from the server.
struct AccountDocumentsTests {
    private typealias Installation = ToolkitInstallation

    private static let base = "/__/auth/accounts"
    private static let discovery = base + "/.well-known/openid-configuration"
    static let paths = [discovery, base + "/jwks", base + "/x509"]

    private func document(_ path: String, of installation: ToolkitInstallation) async throws -> JSONObject {
        let response = try await installation.respond(.get, path)
        try #require(response.head.status == .ok)
        return try WireSupport.object(Array(response.body.readableBytesView))
    }

    @Test func `a verifier that follows discovery finds the keys of the tokens`() async throws {
        let installation = try Installation()
        let metadata = try await document(Self.discovery, of: installation)
        let tokens = installation.service.tokens
        #expect(metadata.string("issuer") == tokens.issuer)
        #expect(metadata["id_token_signing_alg_values_supported"] == .array(["ES256"]))
        #expect(metadata["subject_types_supported"] == .array(["public"]))
        #expect(metadata["response_types_supported"] == .array(["id_token"]))
        #expect(metadata["claims_supported"]?.arrayValue?.contains("sub") == true)
        #expect(metadata["authorization_endpoint"] == nil)

        let address = try #require(metadata.string("jwks_uri"))
        let origin = "https://auth.example.com"
        try #require(address.hasPrefix(origin))
        let keys = try await document(String(address.dropFirst(origin.count)), of: installation)
        let keySet = try KeySet(json: keys.serialized())
        let (_, signedIn) = try await installation.signIn(try installation.token("ada"))
        let token = try #require(signedIn.string("idToken"))
        let claims = try JSONWebSignature(compact: token).verified(by: keySet, algorithms: [.es256]).claims
        #expect(claims.string("iss") == metadata.string("issuer"))
        #expect(claims.string("sub") == signedIn.string("localId"))

        let certificates = try await document(Self.base + "/x509", of: installation)
        #expect(certificates.members.map { $0.name.makeString() } == tokens.keys.all.map(\.keyID))
        #expect(certificates.members[0].value.text?.makeString().hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
    }

    @Test(arguments: paths) func `any page and any cache may have a document`(path: String) async throws {
        let installation = try Installation()
        #expect(installation.broker.handles(path: path))
        for method in [HTTPRequest.Method.get, .head] {
            let fields = try await installation.respond(method, path + "?any=1").head.headerFields
            #expect(fields[.contentType] == "application/json")
            #expect(fields[.cacheControl] == "public, max-age=21600")
            #expect(fields[.accessControlAllowOrigin] == "*")
        }
        let preflight = try await installation.respond(.options, path).head
        #expect(preflight.status == .noContent)
        #expect(preflight.headerFields[.accessControlAllowOrigin] == "*")
        #expect(preflight.headerFields[.accessControlAllowMethods] == "GET, HEAD")
        let refused = try await installation.respond(.post, path).head
        #expect(refused.status == .methodNotAllowed)
        #expect(refused.headerFields[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test(
        arguments: paths + [
            base + "/session/.well-known/openid-configuration", base + "/session/jwks", base + "/session/x509",
            "/__/auth/sdk.js",
        ])
    func `a cache that has a document is told so`(path: String) async throws {
        var options = Installation.Options()
        options.cookieKey = try SigningKey.generatePEM(.es256)
        let installation = try Installation(options: options)
        let first = try await installation.respond(.get, path)
        try #require(first.head.status == .ok)
        let tag = try #require(first.head.headerFields[.eTag])
        for (condition, isKnown) in [(tag, true), ("W/" + tag, true), ("\"x\"", false)] {
            let response = try await installation.respond(.get, path, fields: [.ifNoneMatch: condition])
            #expect(response.head.status == (isKnown ? .notModified : .ok))
            #expect(response.head.headerFields[.eTag] == tag)
            #expect(response.head.headerFields[.cacheControl] == first.head.headerFields[.cacheControl])
            #expect(response.body == (isKnown ? ByteBuffer() : first.body))
        }
    }

    @Test func `for another issuer there are the keys, and no metadata`() async throws {
        let installation = try Installation(issuer: "https://securetoken.google.com/acme-shop")
        let missing = try await installation.respond(.get, Self.discovery)
        #expect(missing.head.status == .notFound)
        for path in Self.paths.dropFirst() {
            let found = try await installation.respond(.get, path)
            #expect(found.head.status == .ok)
        }
    }

    @Test(arguments: [
        "/__/auth/accounts", "/__/auth/accounts/", "/__/auth/accounts/jwks/", "/__/auth/accounts/x508",
        "/accounts/jwks", "/__/auth/accounts/.well-known/openid-configuratioN",
    ])
    func `other paths have no document`(path: String) async throws {
        let response = try await Installation().respond(.get, path)
        #expect(response.head.status == .notFound)
    }

    @Test func `an RSA key is announced as RS256, and each algorithm once`() throws {
        let pem = try [1, 2].map { try SharedRSAKeys.pem($0) }.joined(separator: "\n")
        let keys = try SigningKeys(pem: pem)
        let tokens = try #require(
            AccountTokens(projectID: "acme-shop", issuer: Installation.issuer, keys: keys))
        let documents = try AccountDocuments(of: tokens, publicURL: "https://auth.example.com/__/auth")
        let document = try #require(documents.document(at: Self.discovery))
        let response = document(
            BrokerRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "auth.example.com", path: Self.discovery)))
        let metadata = try WireSupport.object(Array(response.body.readableBytesView))
        #expect(metadata["id_token_signing_alg_values_supported"] == .array(["RS256"]))
    }

    @Test(arguments: ["", "auth.example.com", "https://auth.example.com/", "https://auth.example.com/__/auth?a=b"])
    func `what is no public URL makes no documents`(publicURL: String) throws {
        let keys = try SigningKeys.generate()
        let tokens = try #require(
            AccountTokens(projectID: "acme-shop", issuer: Installation.issuer, keys: keys))
        #expect(throws: AccountDocumentsError.invalidPublicURL) {
            try AccountDocuments(of: tokens, publicURL: publicURL)
        }
    }
}
