// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerState

/// Logins at the handler page whose configuration was changed since their start.
struct HandlerAcceptanceTests {
    private typealias Queries = HandlerQueries

    /// A start, and what the configuration has in the place of its app.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let app: SDKApp
        let changed: SDKApp?

        init(_ description: String, _ text: String, _ app: SDKApp, _ changed: SDKApp?) {
            testDescription = description
            self.text = text
            self.app = app
            self.changed = changed
        }
    }

    private static let popup = HandlerQueries.javaScriptText
    private static let redirect = HandlerQueries.text(popup, ["authType": "signInViaRedirect"])
    private static let iosOfAppID = HandlerQueries.text(
        HandlerQueries.iosText, ["clientId": nil, "appId": "1:123:ios:abc"])
    private static let otherPage = SDKApp(name: "web", apiKey: "web-4f1c0000", authorizedDomains: ["www.example.com"])

    private static func ios(_ kind: SDKApp.Kind, _ native: NativeApp) -> SDKApp {
        SDKApp(name: "ios", kind: kind, apiKey: "ios-4f1c0000", native: native)
    }

    private static func android(_ kind: SDKApp.Kind, _ native: NativeApp) -> SDKApp {
        SDKApp(name: "android", kind: kind, apiKey: "android-4f1c0000", native: native)
    }

    static let rows = [
        Row("a popup, the app is gone", popup, HandlerQueries.web, nil),
        Row(
            "a popup, the app has another name", popup, HandlerQueries.web,
            SDKApp(name: "web2", apiKey: "web-4f1c0000", authorizedDomains: ["app.example.com"])),
        Row("a popup, the domain is gone", popup, HandlerQueries.web, otherPage),
        Row("a redirect, the app is gone", redirect, HandlerQueries.web, nil),
        Row("a redirect, the domain is gone", redirect, HandlerQueries.web, otherPage),
        Row(
            "a redirect, the app runs elsewhere now", redirect, HandlerQueries.web,
            SDKApp(name: "web", kind: .desktop, apiKey: "web-4f1c0000", authorizedDomains: ["app.example.com"])),
        Row(
            "iOS, another client ID", HandlerQueries.iosText, HandlerQueries.ios,
            ios(.ios, NativeApp(bundleID: "com.acme.app", oauthClientID: "124-abc.apps.googleusercontent.com"))),
        Row(
            "iOS, another Google app ID", iosOfAppID, HandlerQueries.ios,
            ios(.ios, NativeApp(bundleID: "com.acme.app", googleAppID: "1:124:ios:abc"))),
        Row("iOS, no scheme", iosOfAppID, HandlerQueries.ios, ios(.ios, NativeApp())),
        Row(
            "iOS, the app runs elsewhere now", HandlerQueries.iosText, HandlerQueries.ios,
            ios(.android, HandlerQueries.ios.native)),
        Row(
            "Android, another package", HandlerQueries.androidText, HandlerQueries.android,
            android(.android, NativeApp(packageName: "com.acme.app2"))),
        Row("Android, no package", HandlerQueries.androidText, HandlerQueries.android, android(.android, NativeApp())),
        Row(
            "Android, the app runs elsewhere now", HandlerQueries.androidText, HandlerQueries.android,
            android(.ios, HandlerQueries.android.native)),
        Row(
            "the app may not use the provider any more", popup, HandlerQueries.web,
            SDKApp(
                name: "web", apiKey: "web-4f1c0000", authorizedDomains: ["app.example.com"], providers: ["bold"])),
    ]

    private static func toolkit(_ apps: [SDKApp]) throws -> IdentityToolkit {
        try IdentityToolkit(
            service: try ToolkitInstallation().service, apps: apps, publicURL: "https://auth.example.com/__/auth",
            limits: IdentityToolkit.AccountLimits(limiter: SwitchedLimiter(), elapsed: { 0 }))
    }

    private static func login(_ content: [UInt8]) -> ExtensionLogin {
        ExtensionLogin(purpose: IdentityToolkit.purpose, client: "web", content: content)
    }

    @Test(arguments: rows) func `a login goes on under the configuration of its start only`(row: Row) throws {
        let content = HandlerLogin(try Queries.start(row.text, row.app), app: row.app).encoded
        #expect(try Self.toolkit([row.app]).accepts(Self.login(content), at: "acme"))
        let changed = try Self.toolkit(row.changed.map { [$0] } ?? [])
        #expect(!changed.accepts(Self.login(content), at: "acme"))
    }

    @Test func `a login of another version does not go on`() throws {
        let toolkit = try Self.toolkit([Queries.web])
        let content = HandlerLogin(try Queries.start(Queries.javaScriptText, Queries.web), app: Queries.web).encoded
        #expect(toolkit.accepts(Self.login(content), at: "acme"))
        let others: [[UInt8]] = [[], [2] + content.dropFirst(), content + [0]]
        for other in others {
            #expect(!toolkit.accepts(Self.login(other), at: "acme"))
        }
    }
}
