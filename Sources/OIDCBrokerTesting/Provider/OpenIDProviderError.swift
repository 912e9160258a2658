// SPDX-License-Identifier: Apache-2.0

/// The reason why an ``OpenIDProvider`` could not be started.
public struct OpenIDProviderError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case noSuchPerson
        case unsupportedEventLoopGroup
        case notListening
        case noCertificate
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The index given to ``OpenIDProvider/Interaction/automatic(_:)`` does not exist.
    public static let noSuchPerson = OpenIDProviderError(.noSuchPerson)
    /// The event loop group does not support sockets of NIOPosix.
    public static let unsupportedEventLoopGroup = OpenIDProviderError(.unsupportedEventLoopGroup)
    /// The listener has no port.
    public static let notListening = OpenIDProviderError(.notListening)
    /// Client certificates require TLS, for which the provider needs a certificate of its own.
    public static let noCertificate = OpenIDProviderError(.noCertificate)

    public var description: String {
        switch code {
        case .noSuchPerson: "the person to sign in automatically is none of the configured people"
        case .unsupportedEventLoopGroup: "the event loop group is none of NIOPosix"
        case .notListening: "the listener has no port"
        case .noCertificate: "a provider that asks for client certificates needs a certificate of its own"
        }
    }
}
