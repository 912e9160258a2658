// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Foundation
import Testing
import TestingSupport

/// What the broker told an app by the browser: the parameters of a redirect to its redirect URI.
struct AppResponse: Sendable {
    let code: String?
    let error: String?
    let state: String?
    let issuer: String?

    /// Reads the redirect; a test fails where there is none, or it goes elsewhere.
    init(_ page: HTTPBrowser.Page, app: AppClient, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(page.status == 303, "\(page.body)", sourceLocation: sourceLocation)
        let location = try #require(page.location, sourceLocation: sourceLocation)
        let separator = app.redirectURI.contains("?") ? "&" : "?"
        try #require(location.hasPrefix(app.redirectURI + separator), sourceLocation: sourceLocation)
        let items = URLComponents(string: location)?.queryItems ?? []
        func only(_ name: String) throws -> String? {
            let found = items.filter { $0.name == name }
            try #require(found.count <= 1, "\(name) stands there twice", sourceLocation: sourceLocation)
            return found.first?.value
        }
        code = try only("code")
        error = try only("error")
        state = try only("state")
        issuer = try only("iss")
    }
}
