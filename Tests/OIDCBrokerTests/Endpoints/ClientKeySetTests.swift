// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The keys of the broker as a client of a provider, for providers that fetch them.
struct ClientKeySetTests {
    private static let path = "/__/auth/clients/acme/jwks"

    @Test func `each provider has a URL with the public keys of its client, and nothing more`() throws {
        let installation = try Installation(providers: ["acme", "other"]) {
            $0.providers[0].configuration.clientSigningKey = Secret(Installation.signingKey)
            $0.providers[0].configuration.clientSigningKeyID = .named("key-1")
        }
        let response = try installation.get(Self.path)
        #expect(response.status == 200)
        #expect(response.head.headerFields[.cacheControl] == "public, max-age=300")
        let tag = try #require(response.head.headerFields[.eTag])
        #expect(try installation.get(Self.path, fields: [.ifNoneMatch: tag]).status == 304)
        let keys = try #require(try response.json()["keys"]?.arrayValue).compactMap(\.objectValue)
        #expect(keys.map { $0["kid"]?.text?.makeString() } == ["key-1"])
        #expect(
            Set(keys.flatMap { $0.members.map { $0.name.makeString() } }) == [
                "kty", "crv", "x", "y", "kid", "alg", "use",
            ])
        // A provider without keys has none.
        #expect(try installation.get("/__/auth/clients/other/jwks").status == 404)
        #expect(try installation.get("/__/auth/clients/nobody/jwks").status == 404)
        #expect(installation.broker.accessPath(of: Self.path + "?x=1") == Self.path)
    }

    @Test func `no provider may have its callback there`() throws {
        var configuration = try Installation.configuration(["acme"])
        configuration.providers[0].callbackPath = Self.path
        #expect(configuration.validate().map(\.key) == ["auth.provider.acme.callback-path"])
    }
}
