// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Shows a user the pages of a sign-in. On Apple's systems that is `SystemBrowser`; an app in SwiftUI may use
/// `webAuthenticationSession` of its environment instead.
public protocol SignInBrowser: Sendable {
    /// Opens a page, and waits for the link with which the pages come back to the app.
    ///
    /// - Parameters:
    ///   - page: The https URL of the page; http for a server on this machine.
    ///   - scheme: The URL scheme of the link, in lower case.
    /// - Returns: The link; `nil` if the user closed the browser.
    /// - Throws: Any error if the browser cannot be shown. The app that asked gets it as it is.
    func open(_ page: URL, until scheme: String) async throws -> URL?
}
