// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration of an SDK app. It never contains the value.
package struct SDKAppError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of an error.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The name is not one that an app may have.
        case invalidName
        /// Another app has the name.
        case duplicateName
        /// The API key is too short, too long, or has characters that it may not have.
        case invalidAPIKey
        /// Another app has the API key.
        case duplicateAPIKey
        /// An authorized domain cannot be read.
        case invalidAuthorizedDomain
        /// An app that does not run in a browser has authorized domains.
        case authorizedDomainOfNativeApp
        /// A native audience is empty, too long, or at no provider.
        case invalidNativeAudience
        /// A native audience is there twice, in another app, or is the client ID of a provider.
        case duplicateNativeAudience
        /// A provider is not known, or the list is empty.
        case unknownProvider
        /// The maximum age is outside of its bounds.
        case invalidNativeMaximumAge
        /// The bundle ID has another form, or is missing beside an ID that gives the URL scheme.
        case invalidBundleID
        /// The Google app ID has another form, or is missing beside the bundle ID, as the OAuth client ID is.
        case invalidGoogleAppID
        /// The OAuth client ID has another form.
        case invalidOAuthClientID
        /// The name of the package has another form, or is missing beside certificates.
        case invalidPackageName
        /// A certificate has another form or is there twice, or there is none beside the name of the package.
        case invalidCertificate
        /// An app of another kind has the bundle ID of an app on iOS.
        case bundleIDOfOtherKind
        /// An app of another kind has the Google app ID of an app on iOS.
        case googleAppIDOfOtherKind
        /// An app of another kind has the OAuth client ID of an app on iOS.
        case oauthClientIDOfOtherKind
        /// An app of another kind has the name of a package.
        case packageNameOfOtherKind
        /// An app of another kind has certificates.
        case certificateOfOtherKind
    }

    /// The code.
    package let code: Code
    /// The name of the app as it is configured.
    package let app: String
    /// The position of the entry in its list, from 1; `nil` if the value is not a list.
    package let position: Int?

    init(_ code: Code, of app: String, at position: Int? = nil) {
        self.code = code
        self.app = app
        self.position = position
    }

    /// The last part of the key, below `auth.sdk-app.<name>.`; `nil` for `auth.sdk-apps`.
    package var setting: String? {
        switch code {
        case .invalidName, .duplicateName: nil
        case .invalidAPIKey, .duplicateAPIKey: "api-key"
        case .invalidAuthorizedDomain, .authorizedDomainOfNativeApp: "authorized-domains"
        case .invalidNativeAudience, .duplicateNativeAudience: "native-audiences"
        case .unknownProvider: "providers"
        case .invalidNativeMaximumAge: "native-maximum-age-seconds"
        case .invalidBundleID, .bundleIDOfOtherKind: "bundle-id"
        case .invalidGoogleAppID, .googleAppIDOfOtherKind: "google-app-id"
        case .invalidOAuthClientID, .oauthClientIDOfOtherKind: "oauth-client-id"
        case .invalidPackageName, .packageNameOfOtherKind: "package-name"
        case .invalidCertificate, .certificateOfOtherKind: "certificate-sha1"
        }
    }

    /// The whole key. A name that no app may have does not become a part of it.
    package var key: String { setting.map { "auth.sdk-app.\(app).\($0)" } ?? "auth.sdk-apps" }

    /// What was expected. It completes the sentence "expected …".
    package var expected: String {
        switch code {
        case .invalidName, .duplicateName:
            "names of 1 to 32 characters, a-z and 0-9, that begin with a letter, each given once"
        case .invalidAPIKey, .duplicateAPIKey:
            "8 to 128 characters of A-Z, a-z, 0-9, - and _, no other app's API key"
        case .invalidAuthorizedDomain: AuthorizedDomain.expectation
        case .authorizedDomainOfNativeApp: "no value: only an app of kind web has authorized domains"
        case .invalidNativeAudience:
            "provider:audience each, the provider one of auth.providers, by its id or name, the audience 1 to 256 "
                + "visible ASCII characters"
        case .duplicateNativeAudience:
            "each given once, its audience in no other app of either kind, and no provider's client-id"
        case .unknownProvider: "names from auth.providers, at least one; leave the key out for all"
        case .invalidNativeMaximumAge: "60 to 3600"
        case .invalidBundleID: NativeApp.bundleIDExpectation
        case .invalidGoogleAppID: NativeApp.googleAppIDExpectation
        case .invalidOAuthClientID: NativeApp.oauthClientIDExpectation
        case .invalidPackageName: NativeApp.packageNameExpectation
        case .invalidCertificate: NativeApp.certificateExpectation
        case .bundleIDOfOtherKind, .googleAppIDOfOtherKind, .oauthClientIDOfOtherKind:
            "no value: only an app of kind ios has it"
        case .packageNameOfOtherKind, .certificateOfOtherKind: "no value: only an app of kind android has it"
        }
    }

    package var description: String {
        let place = position.map { ", entry \($0)" } ?? ""
        return "\(key)\(place): expected \(expected)"
    }
}
