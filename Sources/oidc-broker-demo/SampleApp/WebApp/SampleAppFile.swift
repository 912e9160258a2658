// SPDX-License-Identifier: Apache-2.0

/// A file that the sample app serves as it is: a script, or a page with scripts of its own.
struct SampleAppFile: Sendable {
    /// The value of `Content-Type`.
    let contentType: String
    /// The value of `Content-Security-Policy`; `nil` for a script.
    let contentSecurityPolicy: String?
    /// The content, in UTF-8.
    let body: String

    /// Creates a page.
    static func page(_ html: String, contentSecurityPolicy: String) -> SampleAppFile {
        SampleAppFile(
            contentType: "text/html; charset=utf-8", contentSecurityPolicy: contentSecurityPolicy, body: html)
    }

    /// Creates a script.
    static func script(_ text: String) -> SampleAppFile {
        SampleAppFile(contentType: "text/javascript; charset=utf-8", contentSecurityPolicy: nil, body: text)
    }
}
