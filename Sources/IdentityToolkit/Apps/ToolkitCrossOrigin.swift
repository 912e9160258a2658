// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerConfiguration
import OIDCBrokerHTTP

/// The web page that sends a request, and whether it may read the response (Fetch Standard, CORS protocol).
///
/// A page may read a response only if its origin is an authorized domain of the app that the API key names. A preflight
/// request, and a response that was made before the app was known, go by all web apps. No cookie is read or set on
/// these paths, so credentials are never allowed.
struct ToolkitCrossOrigin {
    private static let methods = "GET, POST"
    /// The fields that the SDKs send, allowed if the preflight request asks for none.
    private static let fieldNames = [
        "content-type", "x-client-version", "x-firebase-gmpid", "x-firebase-client", "x-firebase-locale",
        "x-firebase-appcheck", "x-goog-api-key",
    ].joined(separator: ", ")
    /// How long a browser may keep the answer to a preflight request, in seconds: the most that Chromium keeps.
    private static let maximumAge = 7200

    /// The page's origin as it was sent, and as it was read; `nil` if the request has none, or something else.
    private let origin: (text: String, value: WebOrigin)?

    /// The fields that a page may send.
    private let preflight: PreflightFields

    /// Whether the request has an origin, also one that cannot be read.
    let isSent: Bool

    /// - Parameter fields: The fields of the request. Two fields `Origin` are one with a comma here, and no origin.
    init(_ fields: HTTPFields) {
        preflight = PreflightFields(fields, usual: Self.fieldNames)
        isSent = fields[.origin] != nil
        origin = fields[.origin].flatMap { text in WebOrigin(text).map { (text: text, value: $0) } }
    }

    /// Whether it is a page that may read responses to one of the apps at least.
    func isAllowed(by apps: SDKApps) -> Bool { origin.map { apps.allow($0.value) } ?? false }

    /// Whether it is a page of the app and of no other one.
    func isPage(of app: SDKApp) -> Bool { origin.map { app.allows($0.value) && !$0.value.isOfManyApps } ?? false }

    /// Lets pages of the app read a response.
    func allow(_ fields: inout HTTPFields, for app: SDKApp) {
        allow(&fields) { app.allows($0) }
    }

    /// Lets pages of all apps read a response that was made before the app was known.
    func allow(_ fields: inout HTTPFields, for apps: SDKApps) {
        allow(&fields) { apps.allow($0) }
    }

    /// Lets pages of all apps send their request, in response to a preflight request.
    func allowPreflight(_ fields: inout HTTPFields, for apps: SDKApps) {
        let isAllowed = allow(&fields) { apps.allow($0) }
        fields.varyOfPreflight()
        guard isAllowed else { return }
        fields[.accessControlAllowMethods] = Self.methods
        fields.allow(preflight, for: Self.maximumAge)
    }

    @discardableResult
    private func allow(_ fields: inout HTTPFields, if isAllowed: (WebOrigin) -> Bool) -> Bool {
        // Also where nothing is allowed, so that no cache gives one page the response to another.
        fields[.vary] = "Origin"
        guard let origin, isAllowed(origin.value) else { return false }
        fields[.accessControlAllowOrigin] = origin.text
        return true
    }
}
