// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// An HTML page with the values of the header fields that depend on it.
///
/// The page contains no script (except one that submits a fragment or a form), loads nothing, and must not be framed. The
/// other header fields of the response are set by the sender; `Content-Security-Policy` belongs to the page because it
/// depends on its stylesheet, its script and its forms.
package struct Page: Sendable {
    /// The kind of forms in a page. Some browsers enforce `form-action` along the whole redirect chain, and others only for
    /// the first URL: a policy that holds everywhere is left out where the chain leaves this origin.
    package enum Forms: Sendable {
        /// The page has no form: `form-action 'none'`.
        case none
        /// The response to the form is a page of this origin: `form-action 'self'`.
        case answeredHere
        /// The response to the form is, or leads to, a redirect to another origin: no `form-action` at all.
        case endInRedirect
        /// The form is posted to an app: no `form-action` at all, since the app may redirect the user agent anywhere.
        case postedToApp
    }

    /// The status of the response.
    package let status: HTTPResponse.Status
    /// The complete document, in UTF-8 (`text/html; charset=utf-8`).
    package let html: String
    /// The value of the `Referrer-Policy` field. A page with a form reveals its origin to itself: under `no-referrer`
    /// browsers send `Origin: null` with the form, which could not be distinguished from a cross-origin form.
    package let referrerPolicy: String
    /// The value of the `Content-Security-Policy` field for this document.
    package let contentSecurityPolicy: String

    /// Creates a page with the given content in the common layout.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - title: The title as plain text, which is escaped here.
    ///   - content: The content of `<main>`.
    ///   - forms: The kind of forms in the page.
    ///   - stylesheet: The only stylesheet of the page.
    ///   - script: The only script of the page, which runs after `content`.
    ///   - language: The tag of the language (RFC 5646).
    ///   - direction: The direction of its script.
    ///   - header: What is above `content`, apart from it.
    ///   - footer: What is below `content`, apart from it.
    ///   - showsImages: Whether there is an image, as a `data:` URL.
    package init(
        status: HTTPResponse.Status,
        title: String,
        content: HTML,
        forms: Forms = .none,
        stylesheet: Stylesheet = .shared,
        script: Script? = nil,
        language: String = "en",
        direction: PageTexts.Direction = .leftToRight,
        header: HTML = "",
        footer: HTML = "",
        showsImages: Bool = false
    ) {
        self.status = status
        let style = HTML(stringLiteral: stylesheet.text)
        let scripts: [HTML] = script.map { ["<script>\(HTML(stringLiteral: $0.text))</script>\n"] } ?? []
        let referrerPolicy: String =
            switch forms {
            case .none: "no-referrer"
            case .answeredHere, .endInRedirect: "same-origin"
            // Otherwise the app would receive `Origin: null`, which some refuse. The path stays here.
            case .postedToApp: "strict-origin"
            }
        self.referrerPolicy = referrerPolicy
        let document: HTML = """
            <!DOCTYPE html>
            <html lang="\(language)" dir="\(direction.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="\(referrerPolicy)">
            <meta name="robots" content="noindex">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            \(header)<main>
            \(content)
            </main>
            \(footer)\(scripts)</body>
            </html>

            """
        html = document.text
        contentSecurityPolicy = Page.contentSecurityPolicy(
            stylesheet: stylesheet, script: script, forms: forms, showsImages: showsImages)
    }

    private static func contentSecurityPolicy(
        stylesheet: Stylesheet, script: Script?, forms: Forms, showsImages: Bool
    ) -> String {
        let common =
            "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src \(stylesheet.sourceExpression)"
            + (script.map { "; script-src \($0.sourceExpression)" } ?? "")
            + (showsImages ? "; img-src data:" : "")
        return switch forms {
        case .none: common + "; form-action 'none'"
        case .answeredHere: common + "; form-action 'self'"
        case .endInRedirect, .postedToApp: common
        }
    }
}
