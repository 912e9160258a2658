// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What is derived from the declaration of each setting.
@Suite struct SettingTests {
    /// A setting of the fixture's configuration with a provider of kind apple.
    struct Key: Sendable, CustomTestStringConvertible {
        let key: String
        let isSecret: Bool
        let hasFileVariant: Bool
        var testDescription: String { key }
    }

    static let keys: [Key] = BrokerConfiguration.settingsTables.flatMap { table in
        let name =
            switch table.title {
            case "a provider": "acme"
            case "a provider of kind apple": "apple"
            default: "shop"
            }
        return table.rows.map { row in
            Key(
                key: table.prefix.replacing("<name>", with: name) + row.key, isSecret: row.isSecret,
                hasFileVariant: row.hasFileVariant)
        }
    }

    private static func errors(at key: String) async throws -> [ConfigurationError] {
        var changes = ConfigurationFixture.apple
        if key.hasPrefix("auth.resource.") {
            changes["auth.resources"] = ConfigValue(.stringArray(["shop"]), isSecret: false)
        }
        // Neither a text nor a number, a truth value or a list of texts.
        changes[key] = ConfigValue(.intArray([7, 7]), isSecret: false)
        if key.hasSuffix("-file") { changes[String(key.dropLast(5))] = .some(nil) }
        return try await ConfigurationFixture.errors(changes)
    }

    @Test(arguments: keys)
    func `a value of another type is refused at its key, with its source`(key: Key) async throws {
        let found = try await Self.errors(at: key.key).filter { $0.key == key.key }
        #expect(found.count == 1)
        #expect(found.first?.source == ConfigurationFixture.source)
        #expect(found.first?.expected.isEmpty == false)
        #expect(found.first?.description.contains("7") == false || key.key == "auth.store-bytes")
    }

    @Test(arguments: keys.filter(\.hasFileVariant))
    func `a path of another type is refused at the variant of the key`(key: Key) async throws {
        let found = try await Self.errors(at: key.key + "-file")
        #expect(found.filter { $0.key == key.key + "-file" }.count == 1)
    }

    @Test func `every kind of secret is one`() {
        #expect(
            Set(Self.keys.filter(\.isSecret).map(\.key)) == [
                "auth.sealing-keys", "auth.signing-keys", "auth.webhook.signing-key", "auth.resource-signing-keys",
                "auth.provider.acme.client-secret", "auth.provider.acme.client-signing-key",
                "auth.provider.acme.client-certificate-key", "auth.provider.acme.decryption-keys",
                "auth.provider.apple.private-key", "auth.app.shop.client-secret", "auth.app.shop.client-secrets",
            ])
    }

    @Test func `a member is named as its key`() {
        #expect(Self.misnamed(BrokerConfiguration.self) == [])
        #expect(Self.misnamed(BrokerConfiguration.Provider.self) == [])
        #expect(Self.misnamed(BrokerConfiguration.AppleProvider.self) == [])
        #expect(Self.misnamed(BrokerConfiguration.App.self) == [])
        #expect(Self.misnamed(BrokerConfiguration.Webhook.self) == [])
        // The member says what kind of profile it is; the claims of the user are another one.
        #expect(Self.misnamed(ProviderConfiguration.self) == ["profile"])
    }

    /// The keys whose member has another name; a member that is made of others has none to compare.
    private static func misnamed<Section: SettingSection>(_ section: Section.Type) -> [String] {
        section.settings.filter { setting in
            let member = "\(setting.member)"
            guard !member.contains("<computed"), let name = member.split(separator: ".").last else { return false }
            return name.lowercased() != Self.name(setting.key)
        }.map(\.key)
    }

    /// A key as a member's name in lower case. The key says the unit, which is the member's type.
    private static func name(_ key: String) -> String {
        (key.hasSuffix("-seconds") ? String(key.dropLast(8)) : key).replacing("-", with: "")
    }

    @Test func `each member of a provider's configuration has a key, except those that the broker sets`() {
        let configuration = ProviderConfiguration(issuer: "", clientID: "", clientSecret: nil, redirectURI: "")
        let members = Mirror(reflecting: configuration).children.compactMap(\.label)
        let known = Set(ProviderConfiguration.settings.map { Self.name($0.key) })
        let unknown = members.filter { !known.contains($0.lowercased()) }
        #expect(
            Set(unknown) == ["redirectURI", "securityProfile", "sharedClientSecretSource", "sendsDefaultResponseMode"])
    }

    @Test func `an error in a member is one at its key, and at the first of those that it is made of`() {
        #expect(ProviderConfiguration.keys(of: \.requiredACRValues) == ["required-acr-values"])
        #expect(
            ProviderConfiguration.keys(of: \.clientCertificate) == ["client-certificate", "client-certificate-key"])
        #expect(BrokerConfiguration.App.keys(of: \.nativeNonce) == ["native-nonce"])
    }

    @Test func `a member without a key is named by itself`() {
        #expect(ProviderConfiguration.key(of: \.redirectURI).contains("redirectURI"))
    }
}
