// SPDX-License-Identifier: Apache-2.0

public import NIOSSL
import OpenIDRelyingParty

/// The server of a ``ValkeySingleUseStore``, and the user, password and TLS settings for it.
public struct ValkeyConfiguration: Sendable, CustomStringConvertible {
    /// Where the server is.
    public var servers: ValkeyServers
    /// The user; `nil` for the default user of the server.
    public var username: String?
    /// The user at the sentinels; `nil` for their default user.
    public var sentinelUsername: String?
    /// The number of the database.
    public var database: Int
    /// The TLS settings, for the server and the sentinels; `nil` for connections without TLS.
    public var tls: NIOSSLContext?
    /// The name that a certificate must be for; `nil` if it is the host of the address.
    public var serverName: String?
    /// What the keys in the server begin with. Brokers that share a store have the same prefix.
    public var prefix: String
    /// The number of standbys that must have what was written before it counts as confirmed; 0 if none is waited for.
    public var standbysToWaitFor: Int
    private var secret: Secret?
    private var sentinelSecret: Secret?

    /// Creates the configuration of servers without a password, without TLS, and with the database 0.
    /// - Parameters:
    ///   - servers: Where the server is.
    ///   - username: The user; `nil` for the default user of the server.
    ///   - password: The password; `nil` if the server demands none.
    ///   - sentinelUsername: The user at the sentinels; `nil` for their default user.
    ///   - sentinelPassword: The password of the sentinels; `nil` if they demand none.
    ///   - database: The number of the database.
    ///   - tls: The TLS settings, for the server and the sentinels; `nil` for connections without TLS.
    ///   - serverName: The name that a certificate must be for; `nil` if it is the host of the address.
    ///   - prefix: What the keys in the server begin with.
    ///   - standbysToWaitFor: The number of standbys that must have what was written before it counts as confirmed.
    public init(
        servers: ValkeyServers, username: String? = nil, password: String? = nil, sentinelUsername: String? = nil,
        sentinelPassword: String? = nil, database: Int = 0, tls: NIOSSLContext? = nil, serverName: String? = nil,
        prefix: String = "oidc-broker", standbysToWaitFor: Int = 0
    ) {
        self.servers = servers
        self.username = username
        self.sentinelUsername = sentinelUsername
        self.database = database
        self.tls = tls
        self.serverName = serverName
        self.prefix = prefix
        self.standbysToWaitFor = standbysToWaitFor
        secret = password.map { Secret($0) }
        sentinelSecret = sentinelPassword.map { Secret($0) }
    }

    /// Creates the configuration of a server without a password, without TLS, and with the database 0.
    /// - Parameters:
    ///   - address: Where the server listens.
    ///   - username: The user; `nil` for the default user of the server.
    ///   - password: The password; `nil` if the server demands none.
    ///   - database: The number of the database.
    ///   - tls: The TLS settings; `nil` for a connection without TLS.
    ///   - serverName: The name that the certificate of the server must be for; `nil` if it is the host of the address.
    ///   - prefix: What the keys in the server begin with.
    ///   - standbysToWaitFor: The number of standbys that must have what was written before it counts as confirmed.
    public init(
        address: ValkeyAddress, username: String? = nil, password: String? = nil, database: Int = 0,
        tls: NIOSSLContext? = nil, serverName: String? = nil, prefix: String = "oidc-broker",
        standbysToWaitFor: Int = 0
    ) {
        self.init(
            servers: .node(address), username: username, password: password, database: database, tls: tls,
            serverName: serverName, prefix: prefix, standbysToWaitFor: standbysToWaitFor)
    }

    /// The password; `nil` if the server demands none. It is not part of any description.
    public var password: String? {
        get { secret?.exposed }
        set { secret = newValue.map { Secret($0) } }
    }

    /// The password of the sentinels; `nil` if they demand none. It is not part of any description.
    public var sentinelPassword: String? {
        get { sentinelSecret?.exposed }
        set { sentinelSecret = newValue.map { Secret($0) } }
    }

    /// Whether the sentinels are asked about a write that standbys do not confirm.
    var asksAboutPrimary: Bool {
        guard case .sentinels(let addresses, _) = servers.kind, !addresses.isEmpty else { return false }
        return standbysToWaitFor > 0
    }

    /// Where the server is and the database, without the passwords.
    public var description: String {
        "\(tls == nil ? "" : "TLS to ")\(servers), database \(database)"
    }
}
