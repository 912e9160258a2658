// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The response with the project and its domains.
struct ProjectResponse: Sendable {
    /// The ID of the project.
    var projectID: String
    /// The domains of the app, against which the SDK for JavaScript matches its page.
    var authorizedDomains: [String]

    /// The members of the response.
    var members: JSONObject {
        [
            "projectId": .string(Self.number(of: projectID)),
            "authorizedDomains": .array(authorizedDomains.map { JSONValue.string($0) }),
        ]
    }

    /// The number of a project, which the SDKs expect beside its ID: 12 digits that follow from the ID.
    static func number(of projectID: String) -> String {
        var number: UInt64 = 0
        for byte in Hash.sha256(projectID.utf8).prefix(8) { number = number << 8 | UInt64(byte) }
        return String(100_000_000_000 + number % 900_000_000_000)
    }
}
