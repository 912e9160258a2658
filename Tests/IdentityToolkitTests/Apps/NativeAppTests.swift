// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import Testing

/// What names an app on iOS or Android to the handler page.
struct NativeAppTests {
    private static let certificate = "00112233445566778899aabbccddeeff00112233"
    private static let colons = "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33"

    private static func ios(
        _ bundleID: String? = "com.acme.app", appID: String? = nil, clientID: String? = nil
    ) -> SDKApp {
        app(.ios, NativeApp(bundleID: bundleID, googleAppID: appID, oauthClientID: clientID))
    }

    private static func android(_ package: String? = "com.acme.app", _ certificates: [String]) -> SDKApp {
        app(.android, NativeApp(packageName: package, certificateSHA1: certificates))
    }

    private static func app(_ kind: SDKApp.Kind, _ native: NativeApp) -> SDKApp {
        SDKApp(name: "shop", kind: kind, apiKey: "shop-4f1c0000", native: native)
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(arguments: [
        app(.ios, NativeApp()), app(.android, NativeApp()), app(.web, NativeApp()), app(.desktop, NativeApp()),
        ios(appID: "1:123:ios:abc"), ios(clientID: "123-abc.apps.googleusercontent.com"),
        ios(appID: "2:123:ios:0123456789abcdef", clientID: "a.b"), ios(a(155), appID: "1:123:ios:abc"),
        ios(appID: "1:123:ios:" + a(118)), ios(clientID: a(126) + ".a"),
        android("com.acme.App_2", [certificate]), android("a.b", [colons, "ffffffffffffffffffffffffffffffffffffffff"]),
        android(a(221) + ".a", [certificate.uppercased()]),
    ])
    func `an app without errors`(app: SDKApp) {
        #expect(app.errors == [])
    }

    @Test(
        arguments: [
            (ios(nil, appID: "1:123:ios:abc"), [.invalidBundleID]), (ios(), [.invalidGoogleAppID]),
            (ios("", appID: "1:123:ios:abc"), [.invalidBundleID]),
            (ios("com.acme app", appID: "1:123:ios:abc"), [.invalidBundleID]),
            (ios("com.acme_app", appID: "1:123:ios:abc"), [.invalidBundleID]),
            (ios(a(156), appID: "1:123:ios:abc"), [.invalidBundleID]),
            (ios(appID: ""), [.invalidGoogleAppID]), (ios(appID: "1:123:android:abc"), [.invalidGoogleAppID]),
            (ios(appID: "1:123:ios:ABC"), [.invalidGoogleAppID]), (ios(appID: "1:123:ios"), [.invalidGoogleAppID]),
            (ios(appID: "1:123:ios:abc:d"), [.invalidGoogleAppID]), (ios(appID: "1::ios:abc"), [.invalidGoogleAppID]),
            (ios(appID: "x:123:ios:abc"), [.invalidGoogleAppID]),
            (ios(appID: "1:123:ios:" + a(119)), [.invalidGoogleAppID]),
            (ios(clientID: "123"), [.invalidOAuthClientID]), (ios(clientID: "a..b"), [.invalidOAuthClientID]),
            (ios(clientID: "a.1b"), [.invalidOAuthClientID]), (ios(clientID: "a.b/c"), [.invalidOAuthClientID]),
            (ios(clientID: "a.B"), [.invalidOAuthClientID]), (ios(clientID: a(127) + ".a"), [.invalidOAuthClientID]),
            (
                ios(" ", appID: " ", clientID: " "), [.invalidBundleID, .invalidGoogleAppID, .invalidOAuthClientID]
            ),
            (android(nil, [certificate]), [.invalidPackageName]), (android("com.acme.app", []), [.invalidCertificate]),
            (android("app", [certificate]), [.invalidPackageName]),
            (android("com.1app", [certificate]), [.invalidPackageName]),
            (android("com.acme-app", [certificate]), [.invalidPackageName]),
            (android("com.acme;end", [certificate]), [.invalidPackageName]),
            (android("com..app", [certificate]), [.invalidPackageName]),
            (android(a(222) + ".a", [certificate]), [.invalidPackageName]),
            (
                app(
                    .web,
                    NativeApp(
                        bundleID: "a", googleAppID: "a", oauthClientID: "a", packageName: "a", certificateSHA1: ["a"])),
                [
                    .bundleIDOfOtherKind, .googleAppIDOfOtherKind, .oauthClientIDOfOtherKind, .packageNameOfOtherKind,
                    .certificateOfOtherKind,
                ]
            ),
            (
                app(.ios, NativeApp(packageName: "com.acme.app", certificateSHA1: [certificate])),
                [.packageNameOfOtherKind, .certificateOfOtherKind]
            ),
            (app(.android, NativeApp(bundleID: "com.acme.app")), [.bundleIDOfOtherKind]),
        ] as [(SDKApp, [SDKAppError.Code])])
    func `an app with errors has every one of them`(app: SDKApp, codes: [SDKAppError.Code]) {
        #expect(app.errors.map(\.code) == codes)
        for error in app.errors {
            #expect(error.key.hasPrefix("auth.sdk-app.shop."))
            #expect(!error.expected.isEmpty)
        }
    }

    @Test func `each certificate that cannot be read is told by its place`() {
        let app = Self.android(
            "com.acme.app",
            [
                Self.certificate, Self.colons, "", String(Self.certificate.dropLast()), Self.certificate + "0",
                "g" + Self.certificate.dropFirst(), ":" + Self.colons.dropFirst(), String(Self.colons.dropLast()) + ":",
                Self.colons.replacing(":", with: "-"),
            ])
        // The second one is the first with colons.
        #expect(app.errors.map(\.position) == [2, 3, 4, 5, 6, 7, 8, 9])
        #expect(app.errors.allSatisfy { $0.code == .invalidCertificate })
        #expect(app.native.certificates == [Self.certificate, Self.certificate])
    }

    @Test func `an app on iOS has the schemes that the SDK registers`() {
        let native = NativeApp(googleAppID: "1:123:ios:abc", oauthClientID: "123-abc.apps.googleusercontent.com")
        #expect(native.googleAppIDScheme == "app-1-123-ios-abc")
        #expect(native.oauthClientIDScheme == "com.googleusercontent.apps.123-abc")
        #expect(NativeApp().googleAppIDScheme == nil)
        #expect(NativeApp().oauthClientIDScheme == nil)
    }
}
