// SPDX-License-Identifier: Apache-2.0

/// The reason why the response to a pushed authorization request was refused. It contains no values.
package struct PushedAuthorizationError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case unreadable(String)
        case missing(String)
        case unacceptable(String)
        case status(Int)
        case refused(ProviderError)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The body is not a JSON object within the limits.
    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }
    /// A required member is missing.
    package static func missing(_ member: String) -> Self { .init(.missing(member)) }
    /// A member has an unacceptable value.
    package static func unacceptable(_ member: String) -> Self { .init(.unacceptable(member)) }
    /// The status is not 201, and the body is not an OAuth error.
    package static func status(_ status: Int) -> Self { .init(.status(status)) }
    /// The provider responded with an OAuth error.
    package static func refused(_ error: ProviderError) -> Self { .init(.refused(error)) }

    /// The OAuth error; `nil` if the reason is another one.
    package var providerError: ProviderError? {
        if case .refused(let error) = code { error } else { nil }
    }

    /// The HTTP status; `nil` if the reason is another one.
    package var status: Int? {
        if case .status(let status) = code { status } else { nil }
    }

    package var description: String {
        switch code {
        case .unreadable(let reason): "the response to the pushed request cannot be read: \(reason)"
        case .missing(let member): "the response to the pushed request lacks '\(member)'"
        case .unacceptable(let member): "the response to the pushed request has an unacceptable '\(member)'"
        case .status(let status): "the pushed request was answered with status \(status)"
        case .refused(let error): "the pushed request was refused: \(error.code)"
        }
    }
}
