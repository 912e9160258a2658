// SPDX-License-Identifier: Apache-2.0

/// The reason why a token response was refused. It contains no token.
package struct TokenResponseError: Error, Hashable, CustomStringConvertible {
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

    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }
    package static func missing(_ member: String) -> Self { .init(.missing(member)) }
    package static func unacceptable(_ member: String) -> Self { .init(.unacceptable(member)) }
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
        case .unreadable(let reason): "the token response cannot be read: \(reason)"
        case .missing(let member): "the token response lacks '\(member)'"
        case .unacceptable(let member): "the token response has an unacceptable '\(member)'"
        case .status(let status): "the token endpoint answered with status \(status)"
        case .refused(let error): "the token endpoint refused: \(error.code)"
        }
    }
}
