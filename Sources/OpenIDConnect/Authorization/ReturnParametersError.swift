// SPDX-License-Identifier: Apache-2.0

/// Why a return can not be read. Never holds a value.
package struct ReturnParametersError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case parameters(ParametersError)
        case missingState
        case missingCode
        case unacceptableCode
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    package static func parameters(_ error: ParametersError) -> Self { .init(.parameters(error)) }
    /// `state` is absent or empty.
    package static let missingState = ReturnParametersError(.missingState)
    /// Neither `code` nor `error`.
    package static let missingCode = ReturnParametersError(.missingCode)
    /// `code` is empty, over 4,096 characters, or has a character outside %x20-7E (RFC 6749 appendix A.11).
    package static let unacceptableCode = ReturnParametersError(.unacceptableCode)

    package var description: String {
        switch code {
        case .parameters(let error): error.description
        case .missingState: "the return has no 'state'"
        case .missingCode: "the return has neither 'code' nor 'error'"
        case .unacceptableCode: "the return's 'code' is empty, too long or has characters that no code has"
        }
    }
}
