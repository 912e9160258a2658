// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The URL that takes an event to an app on Android, as Chromium reads it:
/// `intent://firebase.auth/#Intent;scheme=genericidp;package=…;S.authType=…;…;end;`.
///
/// The ticket is not encrypted for the app: `B.encryptionEnabled=false`, which the SDK accepts. The package is named, so
/// no other app gets it.
struct AndroidIntent: Sendable {
    /// The URL.
    let text: String

    /// - Parameters:
    ///   - event: The event.
    ///   - package: The name of the package of the app.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths.
    ///   - fallbackURL: The URL of the page that the browser shows where the app is not installed.
    init(_ event: HandlerEvent, package: String, publicURL: String, fallbackURL: String) {
        var text = "intent://firebase.auth/#Intent;scheme=genericidp;package=\(FormURLEncoding.percentEncode(package));"
        for (name, value) in event.appPairs(publicURL: publicURL) {
            text += "S.\(name)=\(FormURLEncoding.percentEncode(value));"
        }
        text += "B.encryptionEnabled=false;"
        text += "S.browser_fallback_url=\(FormURLEncoding.percentEncode(fallbackURL));end;"
        self.text = text
    }
}
