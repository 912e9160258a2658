// SPDX-License-Identifier: Apache-2.0

/// The reason why an ``OpenIDProvider`` could not be started.
public struct OpenIDProviderError: Error, Hashable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// The index given to ``OpenIDProvider/Interaction/automatic(_:)`` does not exist.
    public static let noSuchPerson = OpenIDProviderError(
        "the index of the user to sign in automatically is out of range")
    /// The event loop group does not support sockets of NIOPosix.
    public static let unsupportedEventLoopGroup = OpenIDProviderError("the event loop group must be one of NIOPosix")
    /// The listener has no port.
    public static let notListening = OpenIDProviderError("the listener has no port")
    /// Client certificates require TLS, for which the provider needs a certificate of its own.
    public static let noCertificate = OpenIDProviderError(
        "a provider that requires client certificates needs a certificate of its own")
}
