// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The keys of an app at its URL.
@Suite struct RemoteKeySetTests {
    private static func keySet(_ url: String, _ provider: TestProvider) throws -> RemoteKeySet {
        RemoteKeySet(
            url: try #require(AbsoluteURL(url)), certificateAuthorities: Array("authorities".utf8),
            transport: provider, elapsed: provider.clock.elapsed)
    }

    @Test func `a host whose address is private is asked there, and one with both only at the public one`() throws {
        for isPrivate in [true, false] {
            let keys = try SigningKey.generate(.es256)
            let provider = try TestProvider { request in
                let isAsked = request.trust.addresses == (isPrivate ? .privateOnly : .publicOnly)
                guard isAsked else { return .failure(.addressRefused) }
                return .json(["keys": [.object(keys.publicJWK)]])
            }
            let found = try Self.keySet("https://app.internal.example/jwks", provider)
                .fetchOnce(on: EmbeddedEventLoop()).wait()
            #expect(found.keys.count == 1)
            #expect(
                provider.requests.map(\.trust.addresses) == (isPrivate ? [.publicOnly, .privateOnly] : [.publicOnly]))
            #expect(provider.requests.allSatisfy { $0.trust.certificateAuthorities == Array("authorities".utf8) })
        }
    }

    @Test func `another failure is no reason to ask at a private address`() throws {
        let provider = try TestProvider { _ in .failure(.untrusted) }
        let error = #expect(throws: RelyingPartyError.self) {
            try Self.keySet("https://app.example/jwks", provider).fetchOnce(on: EmbeddedEventLoop()).wait()
        }
        #expect(error?.transportError == .untrusted)
        #expect(provider.requests.count == 1)
    }
}
