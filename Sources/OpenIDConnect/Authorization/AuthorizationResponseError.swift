// SPDX-License-Identifier: Apache-2.0

/// Why a callback cannot be read. Never holds a value.
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

    /// The parameters themselves cannot be read, or one stands there twice.
    package static func parameters(_ error: ParametersError) -> Self { .init(.parameters(error)) }
    /// `state` is absent or empty.
    package static let missingState = AuthorizationResponseError(.missingState)
    /// Neither `code` nor `error`, although a code was asked for; or no response at all.
    package static let missingCode = AuthorizationResponseError(.missingCode)
    /// `code` is empty, over 4,096 characters, or has a character outside %x20-7E (RFC 6749 appendix A.11).
    package static let unacceptableCode = AuthorizationResponseError(.unacceptableCode)
    /// Neither `id_token` nor `error`, although an ID token was asked for.
    package static let missingIDToken = AuthorizationResponseError(.missingIDToken)
    /// `id_token` is empty, over 64 KB, or has a character outside %x21-7E.
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
