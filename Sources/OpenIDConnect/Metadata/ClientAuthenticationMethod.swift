// SPDX-License-Identifier: Apache-2.0

/// How a client proves itself at the token endpoint (OpenID Connect Core 1.0 section 9).
public struct ClientAuthenticationMethod: Sendable, Hashable, CustomStringConvertible {
    private enum Method: String {
        case clientSecretBasic = "client_secret_basic"
        case clientSecretPost = "client_secret_post"
        case none = "none"
    }

    private let method: Method

    private init(_ method: Method) {
        self.method = method
    }

    /// Client id and secret in an HTTP Basic header, each form-encoded first (RFC 6749 section 2.3.1).
    public static let clientSecretBasic = Self(.clientSecretBasic)
    /// Client id and secret in the form.
    public static let clientSecretPost = Self(.clientSecretPost)
    /// A public client: the client id alone.
    public static let none = Self(.none)

    /// A method from its registered name; nil for one that is not supported.
    public init?(name: String) {
        guard let method = Method(rawValue: name) else { return nil }
        self.init(method)
    }

    /// The registered name.
    public var name: String { method.rawValue }

    public var description: String { name }
}
