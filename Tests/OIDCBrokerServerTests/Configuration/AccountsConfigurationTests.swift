// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import IdentityToolkit
import JOSE
import OIDCBroker
import OpenIDRelyingParty
import Signing
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The keys under `auth.accounts.` and `auth.sdk-app.`.
@Suite struct AccountsConfigurationTests {
    private static func load(
        _ changes: [String: String] = [:], without removed: Set<String> = []
    ) async throws -> LoadedConfiguration {
        let accounts = SourcesFixture.accounts.filter { !removed.contains($0.key) }
        return try await SourcesFixture.load(
            environment: SourcesFixture.environment(
                without: removed, with: accounts.merging(changes) { $1 }))
    }

    private static func errors(
        _ changes: [String: String] = [:], without removed: Set<String> = []
    ) async throws -> [String] {
        do {
            _ = try await load(changes, without: removed)
            return []
        } catch let error as BrokerConfigurationError {
            return error.errors.map(\.key)
        }
    }

    @Test func `without any key there are no accounts`() async throws {
        #expect(try await SourcesFixture.load(environment: SourcesFixture.environment).accounts == nil)
    }

    @Test func `the defaults are those of the documentation`() async throws {
        let configuration = try await Self.load()
        let accounts = try #require(configuration.accounts)
        #expect(accounts.projectID == "acme-people")
        #expect(accounts.databasePath == "/var/lib/oidc-broker/accounts.sqlite")
        #expect(accounts.issuer(beside: configuration.broker) == "https://auth.example.com/__/auth/accounts")
        let policy = accounts.policy(beside: configuration.broker)
        #expect(policy == AccountPolicy())
        #expect(policy.operationsAfterRecentSignIn == [.delete, .link, .unlink])
        let app = try #require(accounts.apps.first).app(beside: configuration.broker)
        #expect(app.authorizedDomains == ["localhost", "auth.example.com"])
        #expect(app.nativeMaximumAge == 300 && app.nativeNonce == .required && app.providers == nil)
    }

    @Test func `an app of an SDK requires claims like an app of the broker`() async throws {
        let key = "AUTH_SDK_APP_WEB_REQUIRE_ACME_GROUPS"
        let configuration = try await Self.load([
            "AUTH_PROVIDER_ACME_CLAIMS": "groups", key: "staff", "AUTH_SDK_APP_WEB_REQUIRE_ACME_EMAIL_VERIFIED": "true",
        ])
        let app = try #require(configuration.accounts?.apps.first).app(beside: configuration.broker)
        #expect(app.require.ofProviders == ["acme": ["groups": .anyOf(["staff"]), "email_verified": .bool(true)]])
        // A claim that is not handed on would let no user in.
        #expect(try await Self.errors([key: "staff"]) == ["auth.sdk-app.web.require"])
        #expect(
            try await Self.errors(["AUTH_PROVIDER_ACME_CLAIMS": "groups", key: ""]) == ["auth.sdk-app.web.require"])
    }

    @Test func `every key reaches the policy and the apps`() async throws {
        let configuration = try await Self.load([
            "AUTH_ACCOUNTS_ISSUER": "https://securetoken.google.com/acme-people",
            "AUTH_ACCOUNTS_EMAIL_POLICY": "separate", "AUTH_ACCOUNTS_NEW_ACCOUNTS": "false",
            "AUTH_ACCOUNTS_RECENT_SIGN_IN_SECONDS": "60",
            "AUTH_ACCOUNTS_RECENT_SIGN_IN_FOR": "delete,unlink", "AUTH_ACCOUNTS_SESSION_IDLE_DAYS": "30",
            "AUTH_ACCOUNTS_IMPORTED_USERS_ENTER_BY_EMAIL_UNTIL": "2020-02-29",
            "AUTH_PROVIDER_ACME_LINKS_BY_EMAIL": "true", "AUTH_SDK_APPS": "web,phone",
            "AUTH_SDK_APP_PHONE_KIND": "ios", "AUTH_SDK_APP_PHONE_API_KEY": "key-of-the-phone",
            "AUTH_SDK_APP_PHONE_NATIVE_AUDIENCES": "acme:com.example.app",
            "AUTH_SDK_APP_PHONE_NATIVE_NONCE": "optional",
            "AUTH_SDK_APP_PHONE_NATIVE_MAXIMUM_AGE_SECONDS": "600", "AUTH_SDK_APP_PHONE_PROVIDERS": "acme",
        ])
        let accounts = try #require(configuration.accounts)
        #expect(accounts.issuer(beside: configuration.broker) == "https://securetoken.google.com/acme-people")
        #expect(
            accounts.policy(beside: configuration.broker)
                == AccountPolicy(
                    email: .separate, makesAccounts: false,
                    providersThatLinkByEmail: [LinkingProvider(id: "oidc.acme", issuer: "https://login.acme.example")],
                    recentSignIn: 60, operationsAfterRecentSignIn: [.delete, .unlink], sessionIdleDays: 30,
                    importedUsersEnterByEmailUntil: 1_582_934_400))
        let app = try #require(accounts.apps.last).app(beside: configuration.broker)
        #expect(app.kind == .ios && app.authorizedDomains.isEmpty)
        #expect(app.nativeAudiences == [SDKApp.NativeAudience(provider: "acme", audience: "com.example.app")])
        #expect(app.nativeNonce == .optional && app.nativeMaximumAge == 600 && app.providers == ["acme"])
    }

    @Test(arguments: [
        ("AUTH_ACCOUNTS_PROJECT_ID", "auth.accounts.project-id"),
        ("AUTH_ACCOUNTS_DATABASE", "auth.accounts.database"),
        ("AUTH_ACCOUNTS_SIGNING_KEYS", "auth.accounts.signing-keys"),
        ("AUTH_SDK_APP_WEB_API_KEY", "auth.sdk-app.web.api-key"),
    ])
    func `a key that accounts need is named when it is missing`(variable: String, key: String) async throws {
        #expect(try await Self.errors(without: [variable]) == [key])
    }

    @Test func `logout tokens need accounts or a webhook`() async throws {
        var environment = SourcesFixture.environment
        environment["AUTH_PROVIDER_ACME_BACK_CHANNEL_LOGOUT"] = "true"
        let without = environment
        let error = await #expect(throws: BrokerConfigurationError.self) {
            _ = try await SourcesFixture.load(environment: without)
        }
        #expect(error?.errors.map(\.key) == ["auth.provider.acme.back-channel-logout"])
        #expect(try await Self.errors(["AUTH_PROVIDER_ACME_BACK_CHANNEL_LOGOUT": "true"]).isEmpty)
        environment["AUTH_WEBHOOK_URL"] = "https://app.example/hook"
        environment["AUTH_WEBHOOK_SIGNING_KEY"] = P256.Signing.PrivateKey().pemRepresentation
        #expect(try await SourcesFixture.load(environment: environment).broker.webhook != nil)
    }

    @Test func `accounts need an app of either kind`() async throws {
        let sdkApps: Set<String> = ["AUTH_SDK_APPS", "AUTH_SDK_APP_WEB_API_KEY"]
        let apps: Set<String> = ["AUTH_APPS", "AUTH_APP_SHOP_REDIRECT_URIS"]
        #expect(try await Self.errors(without: sdkApps).isEmpty)
        #expect(try await Self.errors(without: apps).isEmpty)
        #expect(try await Self.load(without: apps).broker.apps.isEmpty)
        #expect(try await Self.errors(without: sdkApps.union(apps)) == ["auth.apps"])
    }

    @Test(arguments: [
        ("AUTH_ACCOUNTS_PROJECT_ID", "Acme", "auth.accounts.project-id"),
        ("AUTH_ACCOUNTS_DATABASE", "accounts.sqlite", "auth.accounts.database"),
        ("AUTH_ACCOUNTS_DATABASE", "sqlite:accounts.sqlite", "auth.accounts.database"),
        ("AUTH_ACCOUNTS_DATABASE", "sqlite:/", "auth.accounts.database"),
        ("AUTH_ACCOUNTS_SIGNING_KEYS", "no key", "auth.accounts.signing-keys"),
        ("AUTH_ACCOUNTS_SIGNING_KEYS", SourcesFixture.signingKey, "auth.accounts.signing-keys"),
        ("AUTH_ACCOUNTS_SESSION_COOKIE_KEYS", "no key", "auth.accounts.session-cookie-keys"),
        ("AUTH_ACCOUNTS_SESSION_COOKIE_KEYS", SourcesFixture.signingKey, "auth.accounts.session-cookie-keys"),
        (
            "AUTH_ACCOUNTS_SESSION_COOKIE_KEYS", SourcesFixture.accounts["AUTH_ACCOUNTS_SIGNING_KEYS"] ?? "",
            "auth.accounts.session-cookie-keys"
        ),
        ("AUTH_ACCOUNTS_ISSUER", "securetoken", "auth.accounts.issuer"),
        ("AUTH_ACCOUNTS_ISSUER", "https://a.example/?b", "auth.accounts.issuer"),
        ("AUTH_ACCOUNTS_EMAIL_POLICY", "loose", "auth.accounts.email-policy"),
        ("AUTH_ACCOUNTS_RECENT_SIGN_IN_SECONDS", "59", "auth.accounts.recent-sign-in-seconds"),
        ("AUTH_ACCOUNTS_RECENT_SIGN_IN_SECONDS", "3601", "auth.accounts.recent-sign-in-seconds"),
        ("AUTH_ACCOUNTS_RECENT_SIGN_IN_FOR", "link", "auth.accounts.recent-sign-in-for"),
        ("AUTH_ACCOUNTS_RECENT_SIGN_IN_FOR", "delete,delete", "auth.accounts.recent-sign-in-for"),
        ("AUTH_ACCOUNTS_RECENT_SIGN_IN_FOR", "delete,reboot", "auth.accounts.recent-sign-in-for"),
        ("AUTH_ACCOUNTS_SESSION_IDLE_DAYS", "0", "auth.accounts.session-idle-days"),
        ("AUTH_ACCOUNTS_SESSION_IDLE_DAYS", "3651", "auth.accounts.session-idle-days"),
        (
            "AUTH_ACCOUNTS_IMPORTED_USERS_ENTER_BY_EMAIL_UNTIL", "2021-02-29",
            "auth.accounts.imported-users-enter-by-email-until"
        ),
        (
            "AUTH_ACCOUNTS_IMPORTED_USERS_ENTER_BY_EMAIL_UNTIL", "9999-01-01",
            "auth.accounts.imported-users-enter-by-email-until"
        ),
        (
            "AUTH_ACCOUNTS_IMPORTED_USERS_ENTER_BY_EMAIL_UNTIL", "soon",
            "auth.accounts.imported-users-enter-by-email-until"
        ),
        ("AUTH_ACCOUNTS_BEFORE_CREATE", "http://a.example/new", "auth.accounts.before-create"),
        // There is no key that signs it.
        ("AUTH_ACCOUNTS_BEFORE_CREATE", "https://a.example/new", "auth.accounts.before-create"),
        ("AUTH_SDK_APP_WEB_KIND", "tv", "auth.sdk-app.web.kind"),
        ("AUTH_SDK_APP_WEB_API_KEY", "1234567", "auth.sdk-app.web.api-key"),
        ("AUTH_SDK_APP_WEB_AUTHORIZED_DOMAINS", "http://a.example", "auth.sdk-app.web.authorized-domains"),
        ("AUTH_SDK_APP_WEB_NATIVE_AUDIENCES", "elsewhere:a", "auth.sdk-app.web.native-audiences"),
        ("AUTH_SDK_APP_WEB_NATIVE_MAXIMUM_AGE_SECONDS", "59", "auth.sdk-app.web.native-maximum-age-seconds"),
        ("AUTH_SDK_APP_WEB_NATIVE_MAXIMUM_AGE_SECONDS", "3601", "auth.sdk-app.web.native-maximum-age-seconds"),
        ("AUTH_SDK_APP_WEB_PROVIDERS", "elsewhere", "auth.sdk-app.web.providers"),
    ])
    func `a value out of bounds is refused at its key`(variable: String, value: String, key: String) async throws {
        #expect(try await Self.errors([variable: value]) == [key])
    }

    @Test(arguments: [
        ("AUTH_ACCOUNTS_SIGNING_KEYS", "auth.accounts.signing-keys"),
        ("AUTH_ACCOUNTS_SESSION_COOKIE_KEYS", "auth.accounts.session-cookie-keys"),
    ])
    func `a key of access tokens for APIs signs nothing else`(variable: String, key: String) async throws {
        var changes = SourcesFixture.resource
        changes[variable] = changes["AUTH_RESOURCE_SIGNING_KEYS"]
        #expect(try await Self.errors(changes) == [key])
    }

    @Test(arguments: [
        ("AUTH_ACCOUNTS_SIGNING_KEYS", "auth.accounts.signing-keys"),
        ("AUTH_ACCOUNTS_SESSION_COOKIE_KEYS", "auth.accounts.session-cookie-keys"),
    ])
    func `the key of webhooks signs nothing else`(variable: String, key: String) async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let webhook = ["AUTH_WEBHOOK_URL": "https://app.example/hook", "AUTH_WEBHOOK_SIGNING_KEY": pem]
        #expect(try await Self.errors(webhook).isEmpty)
        #expect(try await Self.errors(webhook.merging([variable: pem]) { own, _ in own }) == [key])
    }

    @Test func `only an app of kind web has authorized domains`() async throws {
        #expect(
            try await Self.errors([
                "AUTH_SDK_APP_WEB_KIND": "android", "AUTH_SDK_APP_WEB_AUTHORIZED_DOMAINS": "a.example",
            ]) == ["auth.sdk-app.web.authorized-domains"])
    }

    @Test func `what names an app on iOS is for its kind, and complete`() async throws {
        let app = ["AUTH_SDK_APP_WEB_KIND": "ios"]
        let prefix = "auth.sdk-app.web."
        let complete = [
            "AUTH_SDK_APP_WEB_BUNDLE_ID": "com.acme.app", "AUTH_SDK_APP_WEB_GOOGLE_APP_ID": "1:123:ios:abc",
            "AUTH_SDK_APP_WEB_OAUTH_CLIENT_ID": "123-abc.apps.googleusercontent.com",
        ]
        #expect(try await Self.errors(app.merging(complete) { $1 }) == [])
        #expect(
            try await Set(Self.errors(complete)) == [
                prefix + "bundle-id", prefix + "google-app-id", prefix + "oauth-client-id",
            ])
        #expect(
            try await Self.errors(app.merging(["AUTH_SDK_APP_WEB_BUNDLE_ID": "com.acme.app"]) { $1 })
                == [prefix + "google-app-id"])
        #expect(
            try await Self.errors(app.merging(["AUTH_SDK_APP_WEB_OAUTH_CLIENT_ID": "a.b"]) { $1 })
                == [prefix + "bundle-id"])
        let wrong = [
            "AUTH_SDK_APP_WEB_BUNDLE_ID": "com acme", "AUTH_SDK_APP_WEB_GOOGLE_APP_ID": "1:123:android:abc",
            "AUTH_SDK_APP_WEB_OAUTH_CLIENT_ID": "123",
        ]
        #expect(
            try await Set(Self.errors(app.merging(wrong) { $1 })) == [
                prefix + "bundle-id", prefix + "google-app-id", prefix + "oauth-client-id",
            ])
    }

    @Test func `an app of any kind may have a title, as the broker's own have`() async throws {
        for kind in SDKAppConfiguration.Kind.allCases {
            let titled = ["AUTH_SDK_APP_WEB_KIND": kind.rawValue, "AUTH_SDK_APP_WEB_TITLE": "Acme Shop"]
            let errors = try await Self.errors(titled)
            #expect(!errors.contains("auth.sdk-app.web.title"), "\(kind)")
        }
        let configuration = try await Self.load(["AUTH_SDK_APP_WEB_TITLE": "Acme Shop"])
        let app = try #require(configuration.accounts?.apps.first { $0.name == "web" })
        #expect(app.title == "Acme Shop")
        #expect(app.app(beside: configuration.broker).title == "Acme Shop")
        for wrong in ["A\u{202E}", String(repeating: "a", count: 65)] {
            #expect(try await Self.errors(["AUTH_SDK_APP_WEB_TITLE": wrong]) == ["auth.sdk-app.web.title"])
        }
    }

    @Test func `what names an app on Android is for its kind, and complete`() async throws {
        let app = ["AUTH_SDK_APP_WEB_KIND": "android"]
        let prefix = "auth.sdk-app.web."
        let certificates = "00112233445566778899aabbccddeeff00112233,ffffffffffffffffffffffffffffffffffffffff"
        let complete = [
            "AUTH_SDK_APP_WEB_PACKAGE_NAME": "com.acme.app", "AUTH_SDK_APP_WEB_CERTIFICATE_SHA1": certificates,
        ]
        #expect(try await Self.errors(app.merging(complete) { $1 }) == [])
        #expect(
            try await Set(Self.errors(complete)) == [prefix + "package-name", prefix + "certificate-sha1"])
        #expect(
            try await Self.errors(app.merging(["AUTH_SDK_APP_WEB_PACKAGE_NAME": "com.acme.app"]) { $1 })
                == [prefix + "certificate-sha1"])
        #expect(
            try await Self.errors(app.merging(["AUTH_SDK_APP_WEB_CERTIFICATE_SHA1": certificates]) { $1 })
                == [prefix + "package-name"])
        let wrong = ["AUTH_SDK_APP_WEB_PACKAGE_NAME": "app", "AUTH_SDK_APP_WEB_CERTIFICATE_SHA1": "00,11"]
        #expect(
            try await Set(Self.errors(app.merging(wrong) { $1 })) == [
                prefix + "package-name", prefix + "certificate-sha1",
            ])
    }

    @Test func `two apps have neither one API key nor one native audience, of either kind`() async throws {
        #expect(
            try await Self.errors([
                "AUTH_SDK_APPS": "web,phone", "AUTH_SDK_APP_PHONE_KIND": "ios",
                "AUTH_SDK_APP_PHONE_API_KEY": "key-of-the-web-app",
            ]) == ["auth.sdk-app.phone.api-key"])
        #expect(
            try await Self.errors([
                "AUTH_SDK_APP_WEB_NATIVE_AUDIENCES": "acme:com.example.app",
                "AUTH_APP_SHOP_NATIVE_AUDIENCES": "acme:com.example.app",
            ]) == ["auth.app.shop.native-audiences"])
    }

    @Test func `no app has a provider's client ID, for which the provider is named where both are read`() async throws {
        #expect(
            try await Self.errors(["AUTH_SDK_APP_WEB_NATIVE_AUDIENCES": "acme:broker"])
                == ["auth.provider.acme.client-id"])
        // Accounts that are opened in code find it themselves.
        let configuration = try await Self.load()
        var accounts = try #require(configuration.accounts)
        accounts.apps[0].nativeAudiences = [.init(provider: "acme", audience: "broker")]
        #expect(
            accounts.validate(beside: configuration.broker).map(\.key) == ["auth.sdk-app.web.native-audiences"])
    }

    @Test func `the signing keys are secret, and may be in a file that only the owner can read`() async throws {
        try await SourcesFixture.run { fixture in
            let pem = SourcesFixture.accounts["AUTH_ACCOUNTS_SIGNING_KEYS"] ?? ""
            let file = try fixture.write("keys.pem", pem)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let configuration = try await Self.load(
                ["AUTH_ACCOUNTS_SIGNING_KEYS_FILE": file], without: ["AUTH_ACCOUNTS_SIGNING_KEYS"])
            #expect(configuration.accounts?.signingKeys.count == 1)
            #expect(configuration.exposedSecretFiles.map(\.key) == ["auth.accounts.signing-keys-file"])
        }
    }

    @Test func `on a loopback address a key is made, and the operator is told`() async throws {
        let configuration = try await Self.load(
            ["AUTH_PUBLIC_URL": "http://localhost:8080"], without: ["AUTH_ACCOUNTS_SIGNING_KEYS"])
        let accounts = try #require(configuration.accounts)
        #expect(try accounts.keys(beside: configuration.broker).signing.algorithm == .es256)
        #expect(configuration.warnings.contains { $0.hasPrefix("auth.accounts.signing-keys is not set") })
    }

    @Test func `an app of the broker that shows accounts needs accounts`() async throws {
        #expect(
            try await SourcesFixture.errors(
                environment: SourcesFixture.environment(with: ["AUTH_APP_SHOP_ACCOUNTS": "true"])
            ).map(\.key) == ["auth.app.shop.accounts"])
        #expect(try await Self.load(["AUTH_APP_SHOP_ACCOUNTS": "true"]).broker.apps.first?.accounts == true)
    }
}
