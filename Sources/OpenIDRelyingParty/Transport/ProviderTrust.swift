// SPDX-License-Identifier: Apache-2.0

/// The trust of a request: the certificate authorities and the addresses that are accepted for the provider, the
/// client's own certificate, and the proxy.
///
/// Requests with different trust never share a connection.
public struct ProviderTrust: Sendable, Hashable {
    /// The connected addresses that are accepted.
    public enum Addresses: Sendable, Hashable {
        /// All addresses except link-local ones.
        case any
        /// Public addresses only: no private, loopback, link-local or otherwise special address.
        case publicOnly
        /// The addresses that ``publicOnly`` refuses, except link-local ones. It is used for an issuer whose own
        /// address was found to be private.
        case privateOnly
    }

    /// A value with its hash computed once: each request looks up its client by its trust.
    private final class Hashed<Value: Sendable & Hashable>: Sendable, Hashable {
        let value: Value
        let digest: Int

        init(_ value: Value) {
            self.value = value
            digest = value.hashValue
        }

        static func == (left: Hashed, right: Hashed) -> Bool {
            left === right || (left.digest == right.digest && left.value == right.value)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    private let authorities: Hashed<[UInt8]>?
    private let identity: Hashed<ClientCertificate>?
    private let way: Hashed<Proxy>?

    /// The addresses to which connections are allowed. With a proxy, the connected address is the proxy's and is not
    /// validated.
    public var addresses: Addresses
    /// Whether TLS 1.2 is used with the ciphers of RFC 9325 section 4.2 alone, as FAPI 2.0 requires. Those of TLS 1.3 are all
    /// right.
    package var restrictsCiphers = false

    /// Creates a trust in the given certificate authorities (PEM bytes), or in the system's if they are `nil`.
    /// - Parameters:
    ///   - certificateAuthorities: The certificate authorities, as PEM bytes; `nil` if the system's are trusted.
    ///   - addresses: The addresses to which connections are allowed.
    ///   - clientCertificate: The certificate with which the client authenticates if the provider asks for it; `nil` if
    ///     there is none.
    ///   - proxy: The proxy through which connections are made; `nil` if there is none.
    public init(
        certificateAuthorities: [UInt8]?,
        addresses: Addresses,
        clientCertificate: ClientCertificate? = nil,
        proxy: Proxy? = nil
    ) {
        authorities = certificateAuthorities.map(Hashed.init)
        identity = clientCertificate.map(Hashed.init)
        way = proxy.map(Hashed.init)
        self.addresses = addresses
    }

    /// The certificate authorities, as PEM bytes; `nil` if the system's are trusted.
    public var certificateAuthorities: [UInt8]? { authorities?.value }
    /// The client's certificate and key; `nil` if there are none.
    public var clientCertificate: ClientCertificate? { identity?.value }
    /// The proxy; `nil` if there is none.
    public var proxy: Proxy? { way?.value }
}
