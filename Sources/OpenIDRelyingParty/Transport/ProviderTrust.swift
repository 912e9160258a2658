// SPDX-License-Identifier: Apache-2.0

/// Whom a request may reach and who asks: which certificate authorities vouch for the provider, which addresses it may
/// have, the client's own certificate, and the proxy on the way.
///
/// Requests of different trust never share a connection.
public struct ProviderTrust: Sendable, Hashable {
    /// Which connected addresses are acceptable.
    public enum Addresses: Sendable, Hashable {
        /// Any but link-local ones.
        case any
        /// Only public ones: no private, loopback, link-local or otherwise special address.
        case publicOnly
        /// Only those that ``publicOnly`` refuses, less link-local ones: an issuer whose own address turned out to be
        /// private is asked at such an address or not at all.
        case privateOnly
    }

    /// Something with its hash computed once: a request looks its client up by this.
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

    /// Which addresses may be connected to. With a proxy the address is the proxy's, and is not validated.
    public var addresses: Addresses

    /// Trust in the given authorities (PEM bytes) alone, or, with nil, in the system's.
    /// - Parameters:
    ///   - clientCertificate: what this client proves itself with, where the provider asks for it; nil for nothing.
    ///   - proxy: what connections go through; nil for nothing.
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

    /// The authorities, PEM bytes; nil for the system's.
    public var certificateAuthorities: [UInt8]? { authorities?.value }
    /// The client's certificate and key; nil for none.
    public var clientCertificate: ClientCertificate? { identity?.value }
    /// The proxy; nil for none.
    public var proxy: Proxy? { way?.value }
}
