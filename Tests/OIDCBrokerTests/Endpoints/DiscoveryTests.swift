// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// What the broker publishes of itself.
struct DiscoveryTests {
    private static let discovery = "/__/auth/.well-known/openid-configuration"

    @Test func `the discovery document`() throws {
        let response = try Installation().get(Self.discovery)
        #expect(response.status == 200)
        #expect(response.head.headerFields[.contentType] == "application/json")
        let json = try response.json()
        let issuer = "https://auth.example.com/__/auth"
        let expected: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "jwks_uri": .string(issuer + "/jwks"),
            "end_session_endpoint": .string(issuer + "/logout"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "scopes_supported": ["openid", "email", "profile"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ],
            "revocation_endpoint": .string(issuer + "/revoke"),
            "revocation_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ],
            "introspection_endpoint": .string(issuer + "/introspect"),
            "introspection_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "claims_parameter_supported": true,
        ]
        for member in expected.members { #expect(json[member.name] == member.value, "\(member.name)") }
    }

    @Test func `refresh tokens are announced where an app may have them`() throws {
        let installation = try Installation(extensions: [StubAccounts()]) {
            $0.apps[0].accounts = true
            $0.apps[0].refreshTokens = true
        }
        let json = try installation.get(Self.discovery).json()
        #expect(json["grant_types_supported"] == ["authorization_code", "refresh_token"])
        #expect(json["scopes_supported"] == ["openid", "email", "profile", "offline_access"])
    }

    @Test func `back-channel logout is announced where an app hears of it`() throws {
        for uri in [nil, "https://shop.example/out"] {
            let installation = try Installation(extensions: [StubAccounts()]) {
                $0.apps[0].accounts = true
                $0.apps[0].backchannelLogoutURI = uri
            }
            let json = try installation.get(Self.discovery).json()
            for member in ["backchannel_logout_supported", "backchannel_logout_session_supported"] {
                #expect(json[member] == (uri == nil ? nil : true))
            }
            #expect(json["claims_supported"]?.arrayValue?.contains("sid") == (uri != nil))
        }
    }

    @Test func `our own relying party can read it, and finds every endpoint where it is`() throws {
        let installation = try Installation()
        let response = try installation.get(Self.discovery)
        let metadata = try ProviderMetadata(
            json: Array(response.body.readableBytesView), issuer: Installation.issuer, allowsLoopbackHTTP: false)
        #expect(metadata.announcesIssuer)
        #expect(try installation.get(try #require(metadata.keySetURL).path).status == 200)
        #expect(try installation.get(try #require(metadata.tokenEndpoint).path).status == 405)
        #expect(try installation.get(try #require(metadata.authorizationEndpoint).path).status == 400)
    }

    @Test func `it follows the prefix and the public URL, never the request`() throws {
        let installation = try Installation {
            $0.publicURL = try #require(PublicURL("https://id.example:8443"))
            $0.pathPrefix = "/sign-in"
        }
        let response = try installation.respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: "evil.example",
                    path: "/sign-in/.well-known/openid-configuration")))
        let json = try response.json()
        #expect(json["issuer"]?.text?.makeString() == "https://id.example:8443/sign-in")
        #expect(json["token_endpoint"]?.text?.makeString() == "https://id.example:8443/sign-in/token")
        #expect(!response.text.contains("evil.example"))
        #expect(try installation.get(Self.discovery).status == 404)
    }

    @Test func `by a setting it is also where RFC 8414 and clients of MCP look, outside of the prefix`() throws {
        let others = ["oauth-authorization-server", "openid-configuration"].map { "/.well-known/\($0)/__/auth" }
        let without = try Installation()
        for path in others {
            #expect(!without.broker.handles(path: path))
            #expect(try without.get(path).status == 404)
        }
        let installation = try Installation { $0.wellKnownPaths = true }
        let known = try installation.get(Self.discovery)
        for path in others {
            #expect(installation.broker.handles(path: path + "?x"))
            #expect(installation.broker.accessPath(of: path) == path)
            let response = try installation.get(path)
            #expect(response.status == 200)
            #expect(response.body == known.body)
            #expect(response.head.headerFields == known.head.headerFields)
            #expect(try installation.request(.post, path).status == 405)
        }
        for path in [
            "/.well-known/openid-configuration", "/.well-known/openid-configuration/__/other", others[0] + "/",
        ] {
            #expect(!installation.broker.handles(path: path))
            #expect(try installation.get(path).status == 404)
        }
        // They follow the prefix, and are no callback paths of a provider.
        var configuration = installation.configuration
        configuration.pathPrefix = "/sign-in"
        try installation.broker.reload(configuration)
        #expect(try installation.get("/.well-known/oauth-authorization-server/sign-in").status == 200)
        configuration.providers[0].callbackPath = "/.well-known/oauth-authorization-server/sign-in"
        #expect(configuration.validate().map(\.key) == ["auth.provider.acme.callback-path"])
    }

    @Test func `the key set holds the signing key, and nothing of its private part`() throws {
        let response = try Installation().get("/__/auth/jwks")
        let keys = try #require(try response.json()["keys"]?.arrayValue)
        #expect(keys.count == 1)
        let key = try #require(keys.first?.objectValue)
        #expect(Set(key.members.map { $0.name.makeString() }) == ["kty", "crv", "x", "y", "kid", "alg", "use"])
        #expect(key["kty"]?.text?.makeString() == "EC")
        #expect(key["crv"]?.text?.makeString() == "P-256")
        #expect(key["alg"]?.text?.makeString() == "ES256")
        #expect(key["use"]?.text?.makeString() == "sig")
        #expect(try SigningKey(pem: Installation.signingKey).keyID == key["kid"]?.text?.makeString())
    }

    @Test(
        arguments: ["jwks", "discovery"])
    func `any page may read both, without credentials, and caches keep them for a while`(document: String) throws {
        let target = document == "jwks" ? "/__/auth/jwks" : Self.discovery
        let installation = try Installation()
        for method: HTTPRequest.Method in [.get, .head] {
            let response = try installation.request(method, target, fields: [.origin: "https://anybody.example"])
            #expect(response.status == 200)
            #expect(response.head.headerFields[.accessControlAllowOrigin] == "*")
            #expect(response.head.headerFields[.accessControlAllowCredentials] == nil)
            #expect(response.head.headerFields[.cacheControl] == "public, max-age=300")
        }
        let preflight = try installation.request(.options, target)
        #expect(preflight.status == 204)
        #expect(preflight.head.headerFields[.accessControlAllowOrigin] == "*")
        let asked = try installation.request(
            .options, target,
            fields: [
                .accessControlRequestHeaders: "x-okta-user-agent-extended,TraceParent, authorization",
                .origin: "https://anybody.example",
            ])
        #expect(
            asked.head.headerFields[.accessControlAllowHeaders]
                == "x-okta-user-agent-extended, traceparent, authorization")
        #expect(asked.head.headerFields[.vary] == "Origin, Access-Control-Request-Headers")
        #expect(asked.head.headerFields[.accessControlAllowCredentials] == nil)
        let post = try installation.request(.post, target)
        #expect(post.status == 405)
        #expect(post.head.headerFields[.allow] == "GET, HEAD, OPTIONS")
        #expect(installation.provider.requests.isEmpty)
    }

    @Test(arguments: ["/__/auth/jwks", DiscoveryTests.discovery])
    func `a cache that has the content is told so`(target: String) throws {
        let installation = try Installation()
        let first = try installation.get(target)
        let tag = try #require(first.head.headerFields[.eTag])
        #expect(tag.utf8.count == 24)
        for condition in [tag, "W/" + tag, "\"x\", " + tag, "*", " \(tag) ,\"y\""] {
            for method: HTTPRequest.Method in [.get, .head] {
                let response = try installation.request(method, target, fields: [.ifNoneMatch: condition])
                #expect(response.status == 304, "\(condition)")
                #expect(response.body.readableBytes == 0)
                #expect(response.head.headerFields[.eTag] == tag)
                #expect(response.head.headerFields[.cacheControl] == "public, max-age=300")
                #expect(response.head.headerFields[.accessControlAllowOrigin] == "*")
                #expect(response.head.headerFields[.contentType] == nil)
            }
        }
        let unknown = ["", "\"x\"", String(tag.dropLast()), tag + "x", String(repeating: "\"x\",", count: 300) + tag]
        for condition in unknown {
            let response = try installation.get(target, fields: [.ifNoneMatch: condition])
            #expect(response.status == 200, "\(condition)")
            #expect(response.body == first.body)
        }
        // Another content has another tag.
        let other = try Installation {
            $0.pathPrefix = "/__/other"; $0.signingKeys = [Secret(DiscoveryTests.other)]
        }
        let elsewhere = String(target.dropFirst("/__/auth".count))
        #expect(try other.get("/__/other" + elsewhere).head.headerFields[.eTag] != tag)
    }

    private static let other = P256.Signing.PrivateKey().pemRepresentation
}
