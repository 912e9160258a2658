// SPDX-License-Identifier: Apache-2.0

public import Logging
import NIOSSL
public import OIDCBroker
public import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerValkey
import OpenIDRelyingParty

#if PostgreSQL
    import OIDCBrokerPostgreSQL
#endif

/// The store of a server outside of its process, which is closed at the end.
public struct OpenedStore: Sendable {
    private enum Engine: Sendable {
        case valkey(ValkeySingleUseStore)
        #if PostgreSQL
            case postgresql(PostgreSQLSingleUseStore)
        #endif
    }

    private let engine: Engine

    /// The stores of the broker.
    public var stores: SingleUseStores {
        switch engine {
        case .valkey(let store): return .shared(store)
        #if PostgreSQL
            case .postgresql(let store): return .shared(store)
        #endif
        }
    }

    /// Takes the password of a configuration that was read anew, for connections that are made later.
    func use(_ configuration: StoreConfiguration) {
        switch engine {
        case .valkey(let store): store.use(password: configuration.valkey.password?.exposed)
        #if PostgreSQL
            // The connection string is fixed while the server runs.
            case .postgresql: break
        #endif
        }
    }

    /// Closes the connections.
    public func shutdown() async {
        switch engine {
        case .valkey(let store): await store.shutdown()
        #if PostgreSQL
            case .postgresql(let store): await store.shutdown()
        #endif
        }
    }

    fileprivate init(_ valkey: ValkeySingleUseStore) { engine = .valkey(valkey) }

    #if PostgreSQL
        fileprivate init(_ postgresql: PostgreSQLSingleUseStore) { engine = .postgresql(postgresql) }
    #endif
}

extension StoreConfiguration {
    /// Opens the store; `nil` if it is in memory. Nothing is connected yet, so the store may be away.
    /// - Parameter logger: Where a server that cannot be used is logged, at most once a minute.
    /// - Throws: `BrokerConfigurationError` if a file of TLS cannot be used, or if this program or its configuration
    ///   lacks what the store needs.
    public func open(logger: Logger) throws(BrokerConfigurationError) -> OpenedStore? {
        switch kind {
        case .memory: return nil
        case .valkey: return try openValkey(logger: logger)
        case .postgresql: return try openPostgreSQL(logger: logger)
        }
    }

    private func openPostgreSQL(logger: Logger) throws(BrokerConfigurationError) -> OpenedStore {
        #if PostgreSQL
            return OpenedStore(PostgreSQLSingleUseStore(try postgreSQLConfiguration(), logger: logger))
        #else
            // It never falls back to memory, in which every replica would forget what the others know.
            throw BrokerConfigurationError(errors: boundsErrors(prefix: Self.prefix))
        #endif
    }

    private func openValkey(logger: Logger) throws(BrokerConfigurationError) -> OpenedStore {
        OpenedStore(ValkeySingleUseStore(try valkeyConfiguration(), logger: logger))
    }

    /// The server of Valkey, and the user and password for it.
    func valkeyConfiguration() throws(BrokerConfigurationError) -> ValkeyConfiguration {
        guard let servers else { throw BrokerConfigurationError(errors: boundsErrors(prefix: Self.prefix)) }
        return ValkeyConfiguration(
            servers: servers, username: valkey.username, password: valkey.password?.exposed,
            sentinelUsername: valkey.sentinelUsername, sentinelPassword: valkey.sentinelPassword?.exposed,
            database: valkey.database, tls: try tlsContext(), prefix: prefix,
            standbysToWaitFor: valkey.standbysToWaitFor)
    }

    #if PostgreSQL
        /// The server of PostgreSQL, and the user and password for it.
        func postgreSQLConfiguration() throws(BrokerConfigurationError) -> PostgreSQLConfiguration {
            guard let server = postgreSQLServer else {
                throw BrokerConfigurationError(errors: boundsErrors(prefix: Self.prefix))
            }
            return server
        }
    #endif

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
            if let path = valkey.certificateAuthorities {
                tls.trustRoots = .certificates(try PEMFile.certificates(atPath: path).get())
            }
            if let path = valkey.clientCertificate {
                tls.certificateChain = try PEMFile.certificates(atPath: path).get().map { .certificate($0) }
            }
            if let path = valkey.clientCertificateKey {
                tls.privateKey = .privateKey(try PEMFile.privateKey(atPath: path).get())
            }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw BrokerConfigurationError(errors: [unusableFile])
        }
    }

    /// The error of the first file of TLS that cannot be used.
    private var unusableFile: ConfigurationError {
        let files: [(member: PartialKeyPath<Self>, problem: PEMFile.Problem?)] = [
            (
                \.valkey.certificateAuthorities,
                valkey.certificateAuthorities.flatMap { PEMFile.certificates(atPath: $0).problem }
            ),
            (\.valkey.clientCertificate, valkey.clientCertificate.flatMap { PEMFile.certificates(atPath: $0).problem }),
            (
                \.valkey.clientCertificateKey,
                valkey.clientCertificateKey.flatMap { PEMFile.privateKey(atPath: $0).problem }
            ),
        ]
        for (member, problem) in files {
            guard let problem else { continue }
            return Self.error(
                member, prefix: Self.prefix, expected: "a PEM file that TLS can use; \(problem.description)")
        }
        return Self.error(
            \.valkey.clientCertificateKey, prefix: Self.prefix,
            expected: "the private key that belongs to the first certificate in auth.store.valkey.client-certificate")
    }
}
