// SPDX-License-Identifier: Apache-2.0

/// A parameter that every authorization request to a provider carries.
public struct AuthorizationParameter: Sendable, Hashable {
    /// The name of the parameter, which does not carry the protocol.
    public var name: String
    /// The value of the parameter, not encoded.
    public var value: String

    /// Creates a parameter.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
