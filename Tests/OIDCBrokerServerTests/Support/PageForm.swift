// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

/// The form of a page: where it goes, and the fields that stand in it.
struct PageForm: Sendable {
    let action: String
    /// Hidden fields, in their order; what a script of the page would put there, a test does.
    var hidden: [(String, String)]
    /// The buttons that send a field.
    let buttons: [(String, String)]
    /// The names of the fields a person fills in.
    let inputs: [String]

    /// Reads a page that has exactly one form, which is posted.
    init(_ page: CookieJarClient.Page, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let html = page.body
        let forms = html.matches(of: /<form method="post" action="([^"]*)"/)
        try #require(forms.count == 1, "status \(page.status): \(html)", sourceLocation: sourceLocation)
        action = Self.unescaped(forms[0].output.1)
        hidden = html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map { match in
            (Self.unescaped(match.output.1), Self.unescaped(match.output.2))
        }
        buttons = html.matches(of: /<button[^>]* name="([^"]*)" value="([^"]*)"/).map { match in
            (Self.unescaped(match.output.1), Self.unescaped(match.output.2))
        }
        inputs = html.matches(of: /<input id="[^"]*" name="([^"]*)"/).map { Self.unescaped($0.output.1) }
    }

    /// `&amp;` last, so that nothing is decoded twice.
    private static func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
