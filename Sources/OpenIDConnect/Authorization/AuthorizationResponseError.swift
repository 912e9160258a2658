// SPDX-License-Identifier: Apache-2.0

/// The reason why an authorization response cannot be read. It contains no values.
package struct AuthorizationResponseError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case parameters(ParametersError)
        case missingState
        case missingCode
        case unacceptableCode
        case missingIDToken
        case unacceptableIDToken
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The parameters cannot be decoded, or one is duplicate.
    package static func parameters(_ error: ParametersError) -> Self { .init(.parameters(error)) }
    /// `state` is absent or empty.
    package static let missingState = AuthorizationResponseError(.missingState)
    /// There is neither `code` nor `error`, although a code was requested, or the response is empty.
    package static let missingCode = AuthorizationResponseError(.missingCode)
    /// `code` is empty, longer than 4,096 characters, or contains a character outside %x20-7E (RFC 6749 appendix A.11).
    package static let unacceptableCode = AuthorizationResponseError(.unacceptableCode)
    /// There is neither `id_token` nor `error`, although an ID token was requested.
    package static let missingIDToken = AuthorizationResponseError(.missingIDToken)
    /// `id_token` is empty, longer than 64 KB, or contains a character outside %x21-7E.
    package static let unacceptableIDToken = AuthorizationResponseError(.unacceptableIDToken)

    package var description: String {
        switch code {
        case .parameters(let error): error.description
        case .missingState: "the authorization response has no 'state'"
        case .missingCode: "the authorization response has neither 'code' nor 'error'"
        case .unacceptableCode:
            "the authorization response's 'code' is empty, too long or has characters that no code has"
        case .missingIDToken: "the authorization response has neither 'id_token' nor 'error'"
        case .unacceptableIDToken:
            "the authorization response's 'id_token' is empty, too long or has characters that no token has"
        }
    }
}
