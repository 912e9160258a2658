// SPDX-License-Identifier: Apache-2.0

/// Whom a request may reach: which certificate authorities vouch for the provider and which addresses it may have.
public struct ProviderTrust: Sendable, Hashable {
    /// Which connected addresses are acceptable.
    public enum Addresses: Sendable, Hashable {
        /// Any but link-local ones.
        case any
        /// Only public ones: no private, loopback, link-local or otherwise special address.
        case publicOnly
    }

    /// PEM bytes with their hash computed once: a request looks its client up by this.
    private final class Authorities: Sendable, Hashable {
        let pem: [UInt8]
        let digest: Int

        init(_ pem: [UInt8]) {
            self.pem = pem
            digest = pem.hashValue
        }

        static func == (left: Authorities, right: Authorities) -> Bool {
            left === right || (left.digest == right.digest && left.pem == right.pem)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    private let authorities: Authorities?

    /// Which addresses may be connected to.
    public var addresses: Addresses

    /// Trust in the given authorities (PEM bytes) alone, or, with nil, in the system's.
    public init(certificateAuthorities: [UInt8]?, addresses: Addresses) {
        authorities = certificateAuthorities.map(Authorities.init)
        self.addresses = addresses
    }

    /// The authorities, PEM bytes; nil for the system's.
    public var certificateAuthorities: [UInt8]? { authorities?.pem }
}
