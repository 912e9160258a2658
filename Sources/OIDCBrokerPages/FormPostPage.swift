// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Returns the page that posts an authorization response to an app (OAuth 2.0 Form Post Response Mode section 2).
    /// Without scripts the user presses its button.
    ///
    /// - Parameters:
    ///   - action: The redirect URI of the app.
    ///   - fields: The parameters of the response.
    package func formPost(action: String, fields: [(String, String)]) -> Page {
        page(
            title: texts.oneMoreStep,
            content: """
                <h1>\(texts.oneMoreStep)</h1>
                <noscript><p>\(texts.needsConfirmation)</p></noscript>
                <form method="post" action="\(action)" id="form-post">
                \(fields.map { Self.hidden($0.0, $0.1) })<button type="submit" id="continue">\(texts.continue)</button>
                </form>
                """,
            forms: .postedToApp,
            script: .formPost)
    }
}
