// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import OpenIDRelyingParty
import Synchronization

/// The TLS contexts by trust. Each is created once, because parsing certificate authorities is slow.
final class TLSContexts: Sendable {
    private let contexts = Mutex<[ProviderTrust: NIOSSLContext]>([:])

    /// Returns the TLS context for a trust.
    /// - Throws: ``ProviderTransportError/unusableTrust`` if the certificate authorities, or the client's certificate
    ///   or key, cannot be read.
    func context(for trust: ProviderTrust) throws -> NIOSSLContext {
        try contexts.withLock { contexts in
            if let known = contexts[trust] { return known }
            var tls = try trust.tlsConfiguration()
            tls.applicationProtocols = ["http/1.1"]
            let made = try NIOSSLContext(configuration: tls)
            contexts[trust] = made
            return made
        }
    }
}
