// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

/// The configuration of the store of what may be used once: the keys under `auth.store.`. It is read at the start; a
/// change needs a restart, except for the password.
public struct StoreConfiguration: Sendable, Hashable {
    /// Where the store is.
    public enum Kind: String, Sendable, Hashable {
        /// In the memory of this process, which then serves alone.
        case memory
        /// In Valkey or Redis, which any number of processes share.
        case valkey
        /// In PostgreSQL, which any number of processes share.
        case postgresql
    }

    /// Where the store is: `auth.store.kind`.
    public var kind: Kind = .memory
    /// What all keys in the store begin with: `auth.store.prefix`.
    public var prefix = "oidc-broker"
    /// The server: `auth.store.valkey.…`.
    public var valkey = Valkey()
    /// The server: `auth.store.postgresql.…`.
    public var postgresql = PostgreSQL()
    /// Whether the accounts are in that server, whatever ``kind`` is.
    package var keepsAccounts = false

    /// Creates the configuration of a store in memory.
    public init() {}

    /// A server of Valkey or Redis, version 7 or later.
    public struct Valkey: Sendable, Hashable {
        /// `host:port`, or the absolute path of a Unix domain socket: `auth.store.valkey.address`.
        /// There is one unless there are ``sentinels``.
        public var address: String?
        /// `host:port` of each sentinel, at least three, which say where the primary is: `auth.store.valkey.sentinels`.
        public var sentinels: [String] = []
        /// The name of the primary at the sentinels: `auth.store.valkey.primary-name`.
        public var primaryName: String?
        /// The user at the sentinels; `nil` for the default one: `auth.store.valkey.sentinel-username`.
        public var sentinelUsername: String?
        /// The password of the sentinels; `nil` if they demand none: `auth.store.valkey.sentinel-password`.
        public var sentinelPassword: Secret?
        /// The number of standbys that must have what was written; 0 if none is waited for:
        /// `auth.store.valkey.standbys-to-wait-for`.
        public var standbysToWaitFor = 0
        /// The user; `nil` for the default one: `auth.store.valkey.username`.
        public var username: String?
        /// The password; `nil` if the server demands none: `auth.store.valkey.password`. A reload takes a new one for
        /// connections that are made later.
        public var password: Secret?
        /// Whether the connection is encrypted: `auth.store.valkey.tls`. Without TLS, the server must be on this
        /// machine or at a private address.
        public var tls = false
        /// The path of a PEM file with the authorities that are trusted instead of those of the system:
        /// `auth.store.valkey.certificate-authorities`.
        public var certificateAuthorities: String?
        /// The path of a PEM file with the certificate that the broker shows: `auth.store.valkey.client-certificate`.
        public var clientCertificate: String?
        /// The path of a PEM file with its private key: `auth.store.valkey.client-certificate-key`.
        public var clientCertificateKey: String?
        /// The number of the database: `auth.store.valkey.database`.
        public var database = 0

        /// Creates the configuration of a server without an address.
        public init() {}
    }

    /// A server of PostgreSQL, version 14 or later.
    public struct PostgreSQL: Sendable, Hashable {
        /// A connection string of libpq that names a host: `auth.store.postgresql.connection`. Without TLS, the server
        /// must be on this machine or at a private address.
        public var connection: Secret?
        /// The number of connections: `auth.store.postgresql.connections`. The accounts have as many of their own.
        public var connections = 2

        /// Creates the configuration of a server without a connection string.
        public init() {}
    }
}
