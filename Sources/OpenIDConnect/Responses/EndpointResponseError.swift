// SPDX-License-Identifier: Apache-2.0

/// An endpoint of a provider whose responses are read here.
package protocol ResponseEndpoint {
    /// The response in an error, such as "the token response".
    static var response: String { get }
    /// The endpoint or request in an error, such as "the token endpoint".
    static var responder: String { get }
}

/// The reason why the response of an endpoint was refused. It contains no values and no tokens.
package struct EndpointResponseError<Endpoint: ResponseEndpoint>: Error, Hashable, CustomStringConvertible {
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
    /// The status is not that of a success, and the body is not an OAuth error.
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
        case .unreadable(let reason): "\(Endpoint.response) cannot be read: \(reason)"
        case .missing(let member): "\(Endpoint.response) lacks '\(member)'"
        case .unacceptable(let member): "\(Endpoint.response) has an unacceptable '\(member)'"
        case .status(let status): "\(Endpoint.responder) responded with status \(status)"
        case .refused(let error): "\(Endpoint.responder) refused: \(error.code)"
        }
    }
}

/// The token endpoint (RFC 6749 section 3.2).
package enum TokenResponseEndpoint: ResponseEndpoint {
    package static let response = "the token response"
    package static let responder = "the token endpoint"
}

/// The reason why a token response was refused.
package typealias TokenResponseError = EndpointResponseError<TokenResponseEndpoint>

/// The pushed authorization request endpoint (RFC 9126 section 2).
package enum PushedAuthorizationResponseEndpoint: ResponseEndpoint {
    package static let response = "the response to the pushed request"
    package static let responder = "the pushed authorization request endpoint"
}

/// The reason why the response to a pushed authorization request was refused.
package typealias PushedAuthorizationError = EndpointResponseError<PushedAuthorizationResponseEndpoint>
