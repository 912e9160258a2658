// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import JOSE
import OIDCBrokerConfiguration
import Testing

/// Which app an API key names, and what is wrong with apps together.
struct SDKAppsTests {
    private static let web = SDKApp(
        name: "web", apiKey: "kelvin-key-of-web", authorizedDomains: ["shop.example"],
        nativeAudiences: [SDKApp.NativeAudience(provider: "google.com", audience: "1.apps")])
    private static let phone = SDKApp(
        name: "phone", kind: .ios, apiKey: "key-of-phone",
        nativeAudiences: [SDKApp.NativeAudience(provider: "apple", audience: "com.example.shop")],
        providers: ["apple"])
    private let apps = SDKApps([web, phone])

    private static func errors(in apps: [SDKApp]) -> [SDKAppError] {
        SDKApps.errors(
            in: apps, providerNames: ["apple", "google"], providerIDs: ["apple.com", "google.com"],
            takenAudiences: ["services-id-of-apple"])
    }

    @Test func `an API key names its app`() {
        #expect(apps.app(forKey: "kelvin-key-of-web")?.name == "web")
        #expect(apps.app(forKey: "key-of-phone")?.name == "phone")
    }

    @Test(arguments: [
        "", "key-of", "key-of-phone ", " key-of-phone", "KEY-OF-PHONE", "key-of-phone\0", "\u{212A}elvin-key-of-web",
        "key-of-phone,kelvin-key-of-web", String(repeating: "k", count: 100_000),
    ])
    func `any other text names none`(apiKey: String) {
        #expect(apps.app(forKey: WireText(apiKey)) == nil)
    }

    @Test func `an origin of any web app`() throws {
        let shop = try #require(WebOrigin("https://shop.example"))
        let evil = try #require(WebOrigin("https://evil.example"))
        #expect(apps.allow(shop))
        #expect(!apps.allow(evil))
        #expect(!SDKApps([]).allow(shop))
    }

    @Test func `apps without errors`() {
        #expect(Self.errors(in: [Self.web, Self.phone]) == [])
    }

    @Test func `two apps with the same name and API key`() {
        let errors = Self.errors(
            in: [Self.phone, SDKApp(name: "phone", kind: .android, apiKey: "key-of-phone")])
        #expect(errors.map(\.code) == [.duplicateName, .duplicateAPIKey])
        #expect(errors.map(\.key) == ["auth.sdk-apps", "auth.sdk-app.phone.api-key"])
        // If the errors are passed over, the key still names one app.
        let twice = SDKApps([Self.phone, SDKApp(name: "other", apiKey: "key-of-phone")])
        #expect(twice.app(forKey: "key-of-phone")?.name == "phone")
    }

    @Test(arguments: [
        // The audience of the other app, also at another provider.
        ("apple", "com.example.shop"), ("google", "com.example.shop"),
        // Its own, twice.
        ("google", "2.apps"),
        // The client ID of a provider.
        ("apple", "services-id-of-apple"),
    ])
    func `an audience that is taken`(provider: String, audience: String) {
        let app = SDKApp(
            name: "other", apiKey: "key-of-other",
            nativeAudiences: [
                SDKApp.NativeAudience(provider: "google", audience: "2.apps"),
                SDKApp.NativeAudience(provider: provider, audience: audience),
            ])
        let errors = Self.errors(in: [Self.phone, app])
        #expect(errors.map(\.code) == [.duplicateNativeAudience])
        #expect(errors.map(\.position) == [2])
        #expect(errors.map(\.app) == ["other"])
    }

    @Test func `a provider that is not there`() {
        let app = SDKApp(
            name: "other", apiKey: "key-of-other",
            nativeAudiences: [SDKApp.NativeAudience(provider: "oidc.other", audience: "3.apps")],
            providers: ["apple", "apple.com"])
        let errors = Self.errors(in: [app])
        #expect(errors.map(\.code) == [.invalidNativeAudience, .unknownProvider])
        #expect(errors.map(\.position) == [1, 2])
    }

    @Test func `the errors of each app by itself`() {
        let app = SDKApp(name: "other", apiKey: "short")
        let errors = Self.errors(in: [Self.web, app])
        #expect(errors.map(\.code) == [.invalidAPIKey])
        #expect(errors.map(\.app) == ["other"])
    }
}
