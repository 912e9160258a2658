// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration
import OIDCBrokerValkey

/// The keys under `auth.store.`.
extension StoreConfiguration: SettingSection {
    package static let settings: [Setting<StoreConfiguration>] = [
        Setting(
            "kind", \.kind,
            .named(
                "memory, valkey (also for Redis) or postgresql", { Kind(rawValue: $0) }, show: { $0.rawValue }),
            "where one-time data is stored: in the memory of this process, or in a server that replicas share"
        ).check { $0.kindError }.fixedWhileRunning(),
        Setting(
            "prefix", \.prefix, .text, "the prefix of all keys in the server; the same for all replicas",
            bounds: SettingBounds("1 to 64 characters of A-Z, a-z, 0-9, ., _, : and -") { isPrefix($0) }
        ).fixedWhileRunning(),
        Setting(
            "valkey.address", \.valkey.address, .text, "the address of the Valkey or Redis server, version 7 or later",
            default: "required with `valkey`, unless there are `valkey.sentinels`"
        ).check(takes: addressTakes) { $0.addressError }.fixedWhileRunning(),
        Setting(
            "valkey.sentinels", \.valkey.sentinels, .list,
            "the sentinels that know the primary, instead of `valkey.address`"
        ).check(takes: sentinelsTakes) { $0.sentinelsError }.fixedWhileRunning(),
        Setting(
            "valkey.primary-name", \.valkey.primaryName, .text, "the name of the primary at the sentinels",
            default: "required with `valkey.sentinels`"
        ).check(takes: primaryNameTakes) { $0.primaryNameError }.fixedWhileRunning(),
        Setting(
            "valkey.sentinel-username", \.valkey.sentinelUsername, .text,
            "the user name at the sentinels"
        ).check { $0.needsSentinels($0.valkey.sentinelUsername != nil) }.fixedWhileRunning(),
        Setting(
            "valkey.sentinel-password", \.valkey.sentinelPassword, .secret(), "the password at the sentinels"
        ).check { $0.needsSentinels($0.valkey.sentinelPassword != nil) }.fixedWhileRunning(),
        Setting(
            "valkey.standbys-to-wait-for", \.valkey.standbysToWaitFor, .integer,
            "the number of standbys that must confirm each write; with fewer, operations are retried for a while",
            bounds: .range(0...16)
        ).fixedWhileRunning(),
        Setting("valkey.username", \.valkey.username, .text, "the user name at the server")
            .fixedWhileRunning(),
        Setting(
            "valkey.password", \.valkey.password, .secret(),
            "the password at the server; a changed one is used by new connections"),
        Setting(
            "valkey.tls", \.valkey.tls, .bool,
            "whether the connection uses TLS; required unless the address is loopback, private or a single-label name"
        ).fixedWhileRunning(),
        Setting(
            "valkey.certificate-authorities", \.valkey.certificateAuthorities, .text,
            "the PEM file of the root certificates to trust instead of the system's"
        ).check(takes: fileTakes) { $0.needsTLS(\.certificateAuthorities) }.fixedWhileRunning(),
        Setting(
            "valkey.client-certificate", \.valkey.clientCertificate, .text,
            "the PEM file of the client certificate"
        ).check(takes: fileTakes) { store in
            store.needsTLS(\.clientCertificate)
                ?? (store.valkey.clientCertificateKey != nil && store.valkey.clientCertificate == nil ? fileTakes : nil)
        }.fixedWhileRunning(),
        Setting(
            "valkey.client-certificate-key", \.valkey.clientCertificateKey, .text,
            "the PEM file of the client certificate's private key"
        ).check(takes: fileTakes) { store in
            store.needsTLS(\.clientCertificateKey)
                ?? (store.valkey.clientCertificate != nil && store.valkey.clientCertificateKey == nil ? fileTakes : nil)
        }.fixedWhileRunning(),
        Setting(
            "valkey.database", \.valkey.database, .integer, "the number of the database", bounds: .range(0...65_535)
        ).fixedWhileRunning(),
        Setting(
            "postgresql.connection", \.postgresql.connection, .secret(),
            "the connection string of PostgreSQL, version 14 or later",
            default: "required with `postgresql`, here or in `auth.accounts.database`"
        ).check(takes: connectionTakes) { $0.connectionError }.fixedWhileRunning(),
        Setting(
            "postgresql.connections", \.postgresql.connections, .integer,
            "the number of connections, each with its own thread; accounts use as many again; with 1, listing accounts "
                + "can block other account operations for up to 30 s",
            bounds: .range(1...16)
        ).fixedWhileRunning(),
    ]

    /// The prefix of the keys.
    static let prefix = "auth.store."

    private static let addressTakes = "host:port, [address]:port or the absolute path of a socket"
    private static let connectionTakes = "a connection string of libpq that names a host"
    private static let fileTakes =
        "the path of a PEM file that can be read, with tls; a client certificate and its key only together"

    private static func isPrefix(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private var kindError: String? {
        #if PostgreSQL
            return nil
        #else
            return kind == .postgresql ? "a program that was built with the trait PostgreSQL" : nil
        #endif
    }

    private var connectionError: String? {
        guard kind == .postgresql || keepsAccounts else {
            return postgresql.connection == nil
                ? nil : "no value where neither auth.store.kind nor auth.accounts.database is postgresql"
        }
        #if PostgreSQL
            guard postgreSQLServer != nil else {
                return Self.connectionTakes + ", required where auth.store.kind or auth.accounts.database is postgresql"
            }
        #endif
        return nil
    }

    private var addressError: String? {
        guard kind == .valkey else {
            return valkey.address == nil ? nil : "no value where auth.store.kind is not valkey"
        }
        guard valkey.sentinels.isEmpty else {
            return valkey.address == nil ? nil : "no value beside auth.store.valkey.sentinels"
        }
        guard let address = valkey.address.flatMap({ ValkeyAddress($0) }) else {
            let advice = valkey.address?.contains("://") == true ? "; remove the scheme and the path" : ""
            return Self.addressTakes + ", required where auth.store.kind is valkey" + advice
        }
        return valkey.tls || address.mayBePrivate
            ? nil : "an address of this machine or a private one; others need auth.store.valkey.tls"
    }

    private func needsTLS(_ member: KeyPath<Valkey, String?>) -> String? {
        guard let path = valkey[keyPath: member] else { return nil }
        guard valkey.tls else { return "no value without auth.store.valkey.tls" }
        do throws(ConfigurationFileError) {
            _ = try ConfigurationFile.read(atPath: path)
            return nil
        } catch {
            return error.expected(Self.fileTakes, path: path)
        }
    }
}
