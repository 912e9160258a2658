// SPDX-License-Identifier: Apache-2.0

public import Admission
public import HTTPTypes
public import Tracing

/// The request of a server that embeds the broker to sign a user in to an app of kind `in-process`.
public struct LoginRequest: Sendable {
    /// The name of the app in the configuration.
    public var app: String
    /// The path on the broker's origin to which the user wants to go, at most 2,048 bytes, not one of the broker's own.
    public var destination = "/"
    /// The name or ID of the provider; `nil` to let the user choose if there are several.
    public var provider: String?
    /// A value that ``CompletedSignIn/state`` contains, at most 128 bytes of printable ASCII; `nil` for none. It is sealed
    /// in the login.
    public var state: String?
    /// The `login_hint` for the provider; `nil` for none.
    public var loginHint: String?
    /// The header fields of the user agent's request, whose cookies show which logins are under way.
    public var headerFields: HTTPFields = [:]
    /// The address of the client; `nil` if it is not known.
    public var client: IPAddress?
    /// The span of the embedding server under which the one of the login stands; `nil` for a root.
    public var serviceContext: ServiceContext?

    /// Creates a request.
    public init(app: String) { self.app = app }
}

/// The reason why a login in process could not begin.
public struct LoginRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The stable code of an error.
    public struct Code: Sendable, Hashable {
        let name: String
        /// What is wrong with the request, and what is expected.
        let explanation: String

        /// There is no app of that name of kind `in-process`.
        public static let unknownApp = Code(
            name: "unknown_app", explanation: "no app of kind 'in-process' has this name in the configuration")
        /// The destination is not a path of the origin, is too long, or is the broker's own.
        public static let invalidDestination = Code(
            name: "invalid_destination",
            explanation:
                "the destination must be a path of at most 2,048 bytes on the broker's origin, and not one of its own")
        /// There is no provider of that name or ID that the app may use in a browser.
        public static let unknownProvider = Code(
            name: "unknown_provider",
            explanation: "no provider with this name or ID is available to the app in a browser")
        /// The state or the login hint is too long or not printable ASCII.
        public static let invalidValue = Code(
            name: "invalid_value", explanation: "the state or the login hint is too long, or not printable ASCII")
    }

    /// The code.
    public let code: Code

    public var description: String { "the login cannot begin (\(code.name)): \(code.explanation)" }
}
