// SPDX-License-Identifier: Apache-2.0

/// A sign-in that waits for "Continue to APP".
package struct WaitingSignIn: Sendable {
    /// The extension's own bytes.
    package let content: [UInt8]
    /// The email or the name of the user, for the page; `nil` if it is not known.
    package let account: String?
    /// Where the response goes, for the page: the scheme of a URL, or the name of an app.
    package let destination: String

    /// Creates a sign-in that waits.
    package init(content: [UInt8], account: String?, destination: String) {
        self.content = content
        self.account = account
        self.destination = destination
    }
}
