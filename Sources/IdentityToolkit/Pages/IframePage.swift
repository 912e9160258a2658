// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The page that the SDK opens as a hidden frame where the app lacks ``SDKScript``: it says so on the console, and does
/// nothing else.
///
/// It is the only page that may be framed, by any page: it contains nothing and identifies no user.
enum IframePage {
    private static let script = """
        console.error("Load sdk.js of this server before the Firebase SDK: \
        without that script, popups and redirects do not work.");
        """

    /// The document.
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="robots" content="noindex"><title>sdk.js is missing</title></head>
        <body><script>\(script)</script></body>
        </html>

        """

    /// The value of the `Content-Security-Policy` field.
    static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        + "script-src 'sha256-\(Base64.encode(Hash.sha256(script.utf8)))'"
}
