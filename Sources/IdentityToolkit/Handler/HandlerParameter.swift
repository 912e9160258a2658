// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A parameter of a start at the handler page that is read. The SDKs send others, which say nothing that a start needs.
enum HandlerParameter: String, Sendable, Hashable, CaseIterable, RegisteredName {
    case apiKey
    case providerID = "providerId"
    case authType
    case tenant = "tid"
    /// The page of a web app.
    case redirectURL = "redirectUrl"
    /// The version of the SDK.
    case version = "v"
    /// What the SDK finds its operation by.
    case eventID = "eventId"
    /// What an app on iOS or Android binds the result to.
    case sessionID = "sessionId"
    case customParameters
    case scopes
    /// The language of the user.
    case language = "hl"
    /// The bundle ID of an app on iOS.
    case bundleID = "ibi"
    /// The OAuth client ID of an app on iOS.
    case clientID = "clientId"
    /// The `GOOGLE_APP_ID` of an app on iOS.
    case googleAppID = "appId"
    /// The package name of an app on Android.
    case packageName = "apn"
    /// The SHA-1 of the certificate that signed an app on Android.
    case certificate = "sha1Cert"
}
