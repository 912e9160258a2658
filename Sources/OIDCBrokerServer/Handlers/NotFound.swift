// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The answer to what the broker did not claim.
enum NotFound {
    /// The body.
    static let text = "Nothing here.\n"

    /// The head.
    static let response = HTTPResponse(
        status: .notFound,
        headerFields: [
            .contentType: "text/plain; charset=utf-8",
            .contentLength: "\(text.utf8.count)",
            .xContentTypeOptions: "nosniff",
        ])
}
