// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A response, whole and within ``maximumBytes``.
struct WireResponse: Sendable {
    /// The maximum length of a body, in bytes.
    static let maximumBytes = 1 << 20

    let status: Int
    let body: Data

    /// Decodes the response to an operation.
    /// - Throws: ``AccountsError`` for the error that it is, or if it is not readable.
    func decoded<Response: Decodable>(as type: Response.Type = Response.self) throws -> Response {
        switch status {
        case 200:
            guard let response = try? JSONDecoder().decode(type, from: body) else {
                throw AccountsError(.unexpectedResponse)
            }
            return response
        case 502...504:
            // A problem with the server, or with a proxy in front of it. It has no body that would mean anything.
            throw AccountsError(.networkUnavailable)
        case 400..<500:
            guard let envelope = try? JSONDecoder().decode(ErrorEnvelope.self, from: body) else {
                throw AccountsError(status == 429 ? .tooManyAttempts : .unexpectedResponse)
            }
            throw AccountsError(message: envelope.error.message)
        default:
            throw AccountsError(.unexpectedResponse)
        }
    }
}

/// The body of an error.
private struct ErrorEnvelope: Decodable {
    struct Content: Decodable {
        let message: String
    }

    let error: Content
}

/// A response that only has to be a JSON object.
struct EmptyResponse: Decodable, Sendable {
    private enum NoMember: CodingKey {}

    /// Whatever its members are, the response is an object.
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: NoMember.self) }
}
