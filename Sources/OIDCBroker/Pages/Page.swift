// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// An HTML page and what must be sent with it.
///
/// The page carries no script (but for the one that brings a fragment back), loads nothing, and may not be framed. The
/// answer's headers are set by whoever sends it; `Content-Security-Policy` belongs to the page because only the page
/// knows its stylesheet, its script and its forms.
package struct Page: Sendable {
    /// What the forms of a page may do. Browsers enforce `form-action` along the whole redirect chain.
    package enum Forms: Sendable {
        /// The page has no form: `form-action 'none'`.
        case none
        /// The form is answered by this origin with a page: `form-action 'self'`.
        case answeredHere
        /// The answer to the form is, or ends in, a redirect elsewhere: no `form-action` at all.
        case endInRedirect
    }

    /// The status the page is sent with.
    package let status: HTTPResponse.Status
    /// The whole document; UTF-8, `text/html; charset=utf-8`.
    package let html: String
    /// The value of the `Referrer-Policy` field. A page with a form lets its own origin be seen by itself: under
    /// `no-referrer` browsers send `Origin: null` with the form, and it could not be told from a foreign one.
    package let referrerPolicy: String
    /// The value of the `Content-Security-Policy` field that belongs to this document.
    package let contentSecurityPolicy: String

    /// Puts content into the frame that all pages share.
    ///
    /// - Parameters:
    ///   - status: the status the page is sent with.
    ///   - title: plain text for the window's title; escaped here.
    ///   - content: what stands inside `<main>`.
    ///   - forms: what the page's forms may do.
    ///   - stylesheet: the page's only stylesheet.
    ///   - script: the page's only script, run when all of `content` is there.
    package init(
        status: HTTPResponse.Status,
        title: String,
        content: HTML,
        forms: Forms = .none,
        stylesheet: Stylesheet = .shared,
        script: Script? = nil
    ) {
        self.status = status
        let style = HTML(stringLiteral: stylesheet.text)
        let scripts: [HTML] = script.map { ["<script>\(HTML(stringLiteral: $0.text))</script>\n"] } ?? []
        let referrerPolicy: String =
            switch forms {
            case .none: "no-referrer"
            case .answeredHere, .endInRedirect: "same-origin"
            }
        self.referrerPolicy = referrerPolicy
        let document: HTML = """
            <!DOCTYPE html>
            <html lang="en">
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
            <main>
            \(content)
            </main>
            \(scripts)</body>
            </html>

            """
        html = document.text
        contentSecurityPolicy = Page.contentSecurityPolicy(
            stylesheet: stylesheet, script: script, forms: forms)
    }

    private static func contentSecurityPolicy(stylesheet: Stylesheet, script: Script?, forms: Forms) -> String {
        let common =
            "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src \(stylesheet.sourceExpression)"
            + (script.map { "; script-src \($0.sourceExpression)" } ?? "")
        return switch forms {
        case .none: common + "; form-action 'none'"
        case .answeredHere: common + "; form-action 'self'"
        case .endInRedirect: common
        }
    }
}
