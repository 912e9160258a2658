// SPDX-License-Identifier: Apache-2.0

public import Logging
import NIOSSL
public import OIDCBroker
import OIDCBrokerValkey
import OpenIDRelyingParty

/// The store of a server outside of its process, which is closed at the end.
public struct OpenedStore: Sendable {
    private let valkey: ValkeySingleUseStore

    /// The stores of the broker.
    public var stores: SingleUseStores { .shared(valkey) }

    /// Takes the password of a configuration that was read anew, for connections that are made later.
    func use(_ configuration: StoreConfiguration) { valkey.use(password: configuration.valkey.password?.exposed) }

    /// Closes the connections.
    public func shutdown() async { await valkey.shutdown() }

    fileprivate init(_ valkey: ValkeySingleUseStore) { self.valkey = valkey }
}

extension StoreConfiguration {
    /// Opens the store; `nil` if it is in memory. Nothing is connected yet, so the store may be away.
    /// - Parameter logger: Where a server that cannot be used is logged, at most once a minute.
    /// - Throws: `BrokerConfigurationError` if a file of TLS cannot be used.
    public func open(logger: Logger) throws(BrokerConfigurationError) -> OpenedStore? {
        guard kind == .valkey, let servers else { return nil }
        return OpenedStore(
            ValkeySingleUseStore(
                ValkeyConfiguration(
                    servers: servers, username: valkey.username, password: valkey.password?.exposed,
                    sentinelUsername: valkey.sentinelUsername, sentinelPassword: valkey.sentinelPassword?.exposed,
                    database: valkey.database, tls: try tlsContext(), prefix: prefix,
                    standbysToWaitFor: valkey.standbysToWaitFor),
                logger: logger))
    }

    /// Where the server is; `nil` if the configuration does not say that.
    private var servers: ValkeyServers? {
        if let primaryName = valkey.primaryName, !valkey.sentinels.isEmpty {
            return .sentinels(valkey.sentinels.compactMap { ValkeyAddress($0) }, primaryName: primaryName)
        }
        return valkey.address.flatMap { ValkeyAddress($0) }.map { ValkeyServers.node($0) }
    }

    private func tlsContext() throws(BrokerConfigurationError) -> NIOSSLContext? {
        guard valkey.tls else { return nil }
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            if let path = valkey.certificateAuthorities { tls.trustRoots = .file(path) }
            if let path = valkey.clientCertificate {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
            }
            if let path = valkey.clientCertificateKey {
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
            }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw BrokerConfigurationError(errors: [
                Self.error(
                    \.valkey.certificateAuthorities, prefix: Self.prefix,
                    expected: "files of certificates and of a key that TLS can use")
            ])
        }
    }
}
