// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import OIDCBrokerConfiguration
import Testing

/// What is wrong with an SDK app by itself, and what it may do.
struct SDKAppTests {
    /// An app with one error.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let app: SDKApp
        let code: SDKAppError.Code
        let key: String
        let position: Int?

        init(
            _ description: String, _ app: SDKApp, _ code: SDKAppError.Code, _ key: String, _ position: Int? = nil
        ) {
            self.description = description
            self.app = app
            self.code = code
            self.key = key
            self.position = position
        }
    }

    private static let usualKey = "AIza-test_key"

    private static func app(
        name: String = "shop", kind: SDKApp.Kind = .web, apiKey: String = SDKAppTests.usualKey,
        domains: [String] = ["localhost", "shop.example"], audiences: [(String, String)] = [],
        providers: [String]? = nil, maximumAge: Int64 = 300
    ) -> SDKApp {
        SDKApp(
            name: name, kind: kind, apiKey: apiKey, authorizedDomains: domains,
            nativeAudiences: audiences.map { SDKApp.NativeAudience(provider: $0.0, audience: $0.1) },
            providers: providers, nativeMaximumAge: maximumAge)
    }

    private static func repeated(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let valid = [
        app(), app(name: "a"), app(name: repeated(32)), app(apiKey: repeated(8)), app(apiKey: repeated(128)),
        app(domains: []), app(kind: .ios, domains: []), app(maximumAge: 60), app(maximumAge: 3600),
        app(audiences: [("apple.com", "com.example.shop"), ("google.com", repeated(256))]), app(providers: ["apple"]),
    ]

    @Test(arguments: valid) func `an app without errors`(app: SDKApp) {
        #expect(app.errors == [])
    }

    static let rows = [
        Row("no name", app(name: ""), .invalidName, "auth.sdk-apps"),
        Row("a name in upper case", app(name: "Shop"), .invalidName, "auth.sdk-apps"),
        Row("a name that begins with a digit", app(name: "1shop"), .invalidName, "auth.sdk-apps"),
        Row("a name with a dot", app(name: "shop.web"), .invalidName, "auth.sdk-apps"),
        Row("a name that is too long", app(name: repeated(33)), .invalidName, "auth.sdk-apps"),
        Row("no API key", app(apiKey: ""), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row("an API key that is too short", app(apiKey: repeated(7)), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row("an API key that is too long", app(apiKey: repeated(129)), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row("an API key with a dot", app(apiKey: "AIza.test"), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row("an API key with a space", app(apiKey: "AIza test"), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row("an API key beyond ASCII", app(apiKey: "AIza-t\u{E9}st"), .invalidAPIKey, "auth.sdk-app.shop.api-key"),
        Row(
            "a domain with a scheme", app(domains: ["localhost", "https://shop.example"]), .invalidAuthorizedDomain,
            "auth.sdk-app.shop.authorized-domains", 2),
        Row(
            "a domain of a native app", app(kind: .android, domains: ["localhost"]), .authorizedDomainOfNativeApp,
            "auth.sdk-app.shop.authorized-domains"),
        Row(
            "an audience without a provider", app(audiences: [("", "com.example")]), .invalidNativeAudience,
            "auth.sdk-app.shop.native-audiences", 1),
        Row(
            "an empty audience", app(audiences: [("apple.com", "a"), ("apple.com", "")]), .invalidNativeAudience,
            "auth.sdk-app.shop.native-audiences", 2),
        Row(
            "an audience with a space", app(audiences: [("apple.com", "a b")]), .invalidNativeAudience,
            "auth.sdk-app.shop.native-audiences", 1),
        Row(
            "an audience that is too long", app(audiences: [("apple.com", repeated(257))]), .invalidNativeAudience,
            "auth.sdk-app.shop.native-audiences", 1),
        Row("no provider", app(providers: []), .unknownProvider, "auth.sdk-app.shop.providers"),
        Row(
            "an age that is too short", app(maximumAge: 59), .invalidNativeMaximumAge,
            "auth.sdk-app.shop.native-maximum-age-seconds"),
        Row(
            "an age that is too long", app(maximumAge: 3601), .invalidNativeMaximumAge,
            "auth.sdk-app.shop.native-maximum-age-seconds"),
    ]

    @Test(arguments: rows) func `an app with an error`(row: Row) throws {
        #expect(row.app.errors.map(\.code) == [row.code])
        let error = try #require(row.app.errors.first)
        #expect(error.key == row.key)
        #expect(error.position == row.position)
        #expect(error.description.contains(row.key))
        #expect(!error.description.contains("AIza"))
    }

    @Test func `pages may use a web app from its domains, and no app of another kind`() throws {
        let origin = try #require(WebOrigin("https://shop.example"))
        #expect(Self.app().allows(origin))
        #expect(!Self.app(domains: ["localhost"]).allows(origin))
        #expect(!Self.app(domains: []).allows(origin))
        for kind in SDKApp.Kind.allCases where kind != .web {
            #expect(!Self.app(kind: kind).allows(origin), "\(kind)")
        }
    }

    @Test func `an app may use its providers, or else all`() {
        #expect(Self.app().mayUse(provider: "google"))
        let app = Self.app(providers: ["apple"])
        #expect(app.mayUse(provider: "apple"))
        #expect(!app.mayUse(provider: "google"))
        #expect(!app.mayUse(provider: "Apple"))
    }

    @Test func `an app has its audiences at their provider only, by its ID or its name`() {
        let app = Self.app(
            audiences: [("apple.com", "com.example"), ("google", "1.apps"), ("apple", "com.example.two")])
        #expect(app.audiences(at: "apple.com", named: "apple") == ["com.example", "com.example.two"])
        #expect(app.audiences(at: "google.com", named: "google") == ["1.apps"])
        #expect(app.audiences(at: "oidc.other", named: "other") == [])
    }
}
