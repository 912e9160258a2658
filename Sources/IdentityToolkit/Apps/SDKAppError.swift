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
        case .authorizedDomainOfNativeApp: "nothing: only an app of kind web has authorized domains"
        case .invalidNativeAudience:
            "provider:audience each, the provider one of auth.providers, by its id or name, the audience 1 to 256 "
                + "visible ASCII characters"
        case .duplicateNativeAudience:
            "each given once, its audience in no other app of either kind, and no provider's client-id"
        case .unknownProvider: "names from auth.providers, at least one; leave the key out for all"
        case .invalidNativeMaximumAge: "60 to 3600"
        }
    }

    package var description: String {
        let place = position.map { ", entry \($0)" } ?? ""
        return "\(key)\(place): expected \(expected)"
    }
}
