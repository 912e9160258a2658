// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Signing
import SignInWithApple
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration

/// The validation of a configuration that is built in code.
struct ConfigurationValidationTests {
    private func configuration() throws -> BrokerConfiguration {
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL("https://auth.example.com")),
            providers: [
                .init(name: "acme", issuer: "https://a.example", clientID: "a", clientSecret: Secret("a")),
                .init(name: "other", issuer: "https://b.example", clientID: "b", clientSecret: Secret("b")),
            ],
            apps: [
                .init(name: "shop", redirectURIs: ["https://shop.example/cb"]),
                .init(name: "desk", redirectURIs: ["com.example.desk:/cb"]),
            ])
        configuration.sealingKeys = [Secret(ConfigurationFixture.sealingKey)]
        configuration.signingKeys = [Secret(ConfigurationFixture.signingKey)]
        return configuration
    }

    @Test func `A valid one has no errors`() throws {
        #expect(try configuration().validate() == [])
    }

    @Test func `Provider ids are unique, and none is another provider's name`() throws {
        var duplicate = try configuration()
        duplicate.providers[1].id = "oidc.acme"
        #expect(duplicate.validate().map(\.key) == ["auth.provider.acme.id", "auth.provider.other.id"])
        var shadowing = try configuration()
        shadowing.providers[1].id = "acme"
        #expect(shadowing.validate().map(\.key) == ["auth.provider.other.id"])
        var own = try configuration()
        own.providers[1].id = "other"
        #expect(own.validate() == [])
    }

    @Test func `Client ids of apps are unique`() throws {
        var configuration = try configuration()
        configuration.apps[1].clientID = "shop"
        #expect(configuration.validate().map(\.key) == ["auth.app.shop.client-id", "auth.app.desk.client-id"])
    }

    @Test func `A native audience of an app of an SDK is no app's and no provider's`() throws {
        var configuration = try configuration()
        configuration.sdkAppAudiences = [.init(provider: "acme", audience: "com.example.phone")]
        #expect(configuration.validate() == [])
        var app = configuration
        // Not even at another provider.
        app.apps[1].nativeAudiences = [.init(provider: "other", audience: "com.example.phone")]
        #expect(app.validate().map(\.key) == ["auth.app.desk.native-audiences"])
        var provider = configuration
        provider.providers[1].configuration.clientID = "com.example.phone"
        #expect(provider.validate().map(\.key) == ["auth.provider.other.client-id"])
    }

    @Test func `An app's secret of 16 bytes is long enough, one of 15 is not`() throws {
        var configuration = try configuration()
        configuration.apps[0].clientSecret = Secret(String(repeating: "s", count: 16))
        #expect(configuration.validate() == [])
        configuration.apps[0].clientSecret = Secret(String(repeating: "s", count: 15))
        #expect(configuration.validate().map(\.key) == ["auth.app.shop.client-secret"])
    }

    @Test(
        arguments: ["codes=1", "x=code", "a=b%26state", "Code=1", "?code=1", "error_descriptions"])
    func `Only the response's own parameters are refused in a redirect URI`(query: String) throws {
        var configuration = try configuration()
        configuration.apps[0].redirectURIs = ["https://shop.example/cb?" + query]
        #expect(configuration.validate() == [])
    }

    @Test func `Names are validated here too`() throws {
        var configuration = try configuration()
        configuration.providers[0].name = "Not A Name"
        configuration.apps[1].name = "shop"
        #expect(configuration.validate().map(\.key).contains("auth.providers"))
        #expect(configuration.validate().map(\.key).contains("auth.apps"))
    }

    @Test func `Keys may be missing only on loopback, and are not created elsewhere`() throws {
        var remote = try configuration()
        remote.sealingKeys = []
        remote.signingKeys = []
        remote.makeMissingKeys()
        #expect(remote.sealingKeys.isEmpty)
        #expect(remote.validate().map(\.key) == ["auth.sealing-keys", "auth.signing-keys"])
        var local = remote
        local.publicURL = try #require(PublicURL("http://127.0.0.1:8080"))
        #expect(local.validate() == [])
        local.makeMissingKeys()
        #expect(local.sealingKeys.count == 1)
        let keys = try #require(SigningKeys(pem: local.signingKeys))
        #expect(Set(keys.algorithms) == [.es256, .rs256])
        #expect(local.warnings.count == 2)
        #expect(local.validate() == [])
    }

    @Test func `The profile of Apple goes with its kind only`() throws {
        var configuration = try configuration()
        configuration.providers[0].configuration.profile = .apple
        #expect(configuration.validate().map(\.key).contains("auth.provider.acme.kind"))
    }

    @Test func `The redirect URI is the broker's, regardless of the provider's configuration`() throws {
        var configuration = try configuration()
        configuration.providers[0].configuration.redirectURI = "https://elsewhere.example/cb"
        #expect(configuration.validate() == [])
        let made = configuration.providers[0].relyingPartyConfiguration(redirectURI: "https://auth.example.com/cb")
        #expect(made.redirectURI == "https://auth.example.com/cb")
    }

    @Test func `A certificate file without a certificate is refused`() throws {
        var configuration = try configuration()
        configuration.providers[0].configuration.certificateAuthorities = Array("hello".utf8)
        #expect(configuration.validate().map(\.key) == ["auth.provider.acme.certificate-authorities"])
    }
}
