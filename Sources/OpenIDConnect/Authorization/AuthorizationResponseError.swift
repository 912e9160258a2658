// SPDX-License-Identifier: Apache-2.0

/// The reason why an authorization response cannot be read. It contains no values.
package struct AuthorizationResponseError: Error, Hashable, CustomStringConvertible {
    package let description: String

    private init(_ problem: String) {
        description = "the authorization response \(problem)"
    }

    private init(_ error: ParametersError) {
        description = error.description
    }

    /// The parameters cannot be decoded, or one is duplicate.
    package static func parameters(_ error: ParametersError) -> Self { .init(error) }
    /// `state` is absent or empty.
    package static let missingState = AuthorizationResponseError("has no 'state'")
    /// There is neither `code` nor `error`, although a code was requested, or the response is empty.
    package static let missingCode = AuthorizationResponseError("has neither 'code' nor 'error'")
    /// `code` is empty, longer than 4,096 characters, or contains a character outside %x20-7E (RFC 6749 appendix A.11).
    package static let unacceptableCode = AuthorizationResponseError(
        "has a 'code' that is empty, too long or not printable")
    /// There is neither `id_token` nor `error`, although an ID token was requested.
    package static let missingIDToken = AuthorizationResponseError("has neither 'id_token' nor 'error'")
    /// `id_token` is empty, longer than 64 KB, or contains a character outside %x21-7E.
    package static let unacceptableIDToken = AuthorizationResponseError(
        "has an 'id_token' that is empty, too long or not printable")
    /// `response` is longer than 64 KB, or is no JWT with a `state`.
    package static let unacceptableResponse = AuthorizationResponseError(
        "has a 'response' that is not a signed JWT with a 'state'")
    /// There is no `response`, although a signed response was requested.
    package static let missingResponse = AuthorizationResponseError("has no 'response', but a signed one was requested")
    /// There is a `response`, although none was requested.
    package static let unrequestedResponse = AuthorizationResponseError(
        "has a 'response', but no signed one was requested")
}
