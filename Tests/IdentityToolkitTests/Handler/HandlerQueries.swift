// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import OpenIDConnect
import Testing

@testable import IdentityToolkit

/// Starts at the handler page as the SDKs write them, and the apps that write them.
enum HandlerQueries {
    static let web = SDKApp(
        name: "web", apiKey: "web-4f1c0000",
        authorizedDomains: ["app.example.com", "app.example.com:8443", "xn--bcher-kva.example", "localhost"])
    static let ios = SDKApp(
        name: "ios", kind: .ios, apiKey: "ios-4f1c0000",
        native: NativeApp(
            bundleID: "com.acme.app", googleAppID: "1:123:ios:abc", oauthClientID: "123-abc.apps.googleusercontent.com")
    )
    static let android = SDKApp(
        name: "android", kind: .android, apiKey: "android-4f1c0000",
        native: NativeApp(
            packageName: "com.acme.app",
            certificateSHA1: [
                "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33",
                "ffffffffffffffffffffffffffffffffffffffff",
            ]))

    /// What Android reads of a SHA-256, with control and replacement characters and what separates parameters. It is sent
    /// twice as it is.
    static let androidSession = "\u{1B}\u{FFFD}\u{FFFD}p\u{FFFD}w,\u{FFFD}\0\u{FFFD}%&=+ \u{7F}m"
    private static let androidEscaped =
        "%1B%EF%BF%BD%EF%BF%BDp%EF%BF%BDw%2C%EF%BF%BD%00%EF%BF%BD%25%26%3D%2B%20%7Fm"

    /// The raw session ID of the SDK for iOS. The start has its SHA-256.
    static let iosSession = "ABCDEFGHIJ"
    /// The SHA-256 of ``iosSession``, by another implementation.
    static let iosDigest = "261305762671a58cae5b74990bcfc236c2336fb04a0fbac626166d9491d2884c"

    static let javaScriptText =
        "apiKey=web-4f1c0000&appName=%5BDEFAULT%5D&authType=signInViaPopup&redirectUrl="
        + "https%3A%2F%2Fapp.example.com%2Fapp%3Fa%3D1%23%2Fcart&v=12.6.0&eventId=9010801184&providerId=oidc.acme"
        + "&customParameters=%7B%22login_hint%22%3A%22joe%22%7D&scopes=openid%2Cgroups"
    static let iosText =
        "apiKey=ios-4f1c0000&authType=signInWithRedirect&ibi=com.acme.app&sessionId=\(iosDigest)"
        + "&v=FirebaseAuth.iOS%2F12.19.0%20com.acme.app%2F1.0%20iPhone%2F18.0&eventId=KLMNOPQRST&providerId=oidc.acme"
        + "&clientId=123-abc.apps.googleusercontent.com&scopes=&customParameters=%7B%22login_hint%22%3A%22a%2Bb%22%7D&hl=de"
    static let androidText =
        "eid=p&v=X23.2.1&authType=signInWithRedirect&apiKey=android-4f1c0000&providerId=oidc.acme"
        + "&sessionId=\(androidEscaped)&eventId=6f9619ff-8b86-d011-b42d-00cf4fc964ff&apn=com.acme.app"
        + "&sha1Cert=00112233445566778899aabbccddeeff00112233&publicKey=CLq_abc-&scopes=a,b"

    /// A query with values in place of others; `nil` takes one out.
    static func text(_ base: String, _ changes: [String: String?]) -> String {
        changed(rawPairs(base), changes.mapValues { $0.map { FormURLEncoding.percentEncode($0) } })
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// The decoded pairs of a query with values in place of others; `nil` takes one out.
    static func pairs(_ base: String, _ changes: [String: String?]) -> [(String, String)] {
        changed(rawPairs(base).map { ($0.0, $0.1.removingPercentEncoding ?? "") }, changes)
    }

    private static func rawPairs(_ text: String) -> [(String, String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }

    private static func changed(
        _ pairs: [(String, String)], _ changes: [String: String?]
    ) -> [(String, String)] {
        var pairs = pairs
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            pairs.removeAll { $0.0 == name }
            if let value { pairs.append((name, value)) }
        }
        return pairs
    }

    static func start(
        _ base: String, _ app: SDKApp, _ changes: [String: String?] = [:]
    ) throws(HandlerStartError) -> HandlerStart {
        try HandlerStart(HandlerQuery(text(base, changes)[...]), for: app)
    }

    static func target(
        _ base: String, _ app: SDKApp, _ changes: [String: String?] = [:]
    ) throws(HandlerStartError) -> HandlerEventTarget {
        try HandlerEventTarget(HandlerQuery(text(base, changes)[...]), for: app)
    }

    /// The error with which a start is refused; `nil` if it is not.
    static func error(_ base: String, _ app: SDKApp, _ changes: [String: String?]) -> HandlerStartError? {
        do throws(HandlerStartError) {
            _ = try start(base, app, changes)
            return nil
        } catch {
            return error
        }
    }
}

extension HandlerStart {
    /// Reads a start, and where its result goes.
    init(_ query: HandlerQuery, for app: SDKApp) throws(HandlerStartError) {
        try self.init(query, to: HandlerEventTarget(query, for: app))
    }
}
