// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Returns the page that posts an authorization response to an app (OAuth 2.0 Form Post Response Mode section 2).
    /// Without scripts the user presses its button.
    ///
    /// - Parameters:
    ///   - action: The redirect URI of the app.
    ///   - fields: The parameters of the response.
    static func formPost(action: String, fields: [(String, String)]) -> Page {
        Page(
            status: .ok,
            title: "One more step",
            content: """
                <h1>One more step</h1>
                <form method="post" action="\(action)" id="form-post">
                \(fields.map { hidden($0.0, $0.1) })<button type="submit" id="continue">Continue</button>
                </form>
                """,
            forms: .postedToApp,
            script: .formPost)
    }
}
