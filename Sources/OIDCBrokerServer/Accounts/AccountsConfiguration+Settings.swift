// SPDX-License-Identifier: Apache-2.0

import Accounts
import Signing
import OIDCBroker
package import OIDCBrokerConfiguration
import OpenIDRelyingParty

/// The keys under `auth.` that concern the accounts as a whole.
extension AccountsConfiguration: SettingSection {
    package static let settings: [Setting<AccountsConfiguration>] = [
        Setting(
            "accounts.project-id", \.projectID, .text,
            "the audience of the ID tokens of accounts; accounts are off unless it is set", default: "none",
            bounds: SettingBounds("4 to 30 characters of a-z, 0-9 and -, required with the other keys of accounts") {
                AccountTokens.isProjectID($0)
            }
        ).fixedWhileRunning(),
        Setting(
            "accounts.database", \.database, .text,
            "where accounts are stored: in a file that only its owner can access, or in the database of "
                + "`auth.store.postgresql`",
            default: "required with accounts"
        ).check(takes: databaseTakes) { $0.databaseError }.fixedWhileRunning(),
        Setting(
            "accounts.signing-keys", \.signingKeys, .secretBlocks(keysTake),
            "the keys that sign ID tokens of accounts; the first one signs, all are published",
            default: "required with accounts; on a loopback public URL, made at each start"),
        Setting(
            "accounts.session-cookie-keys", \.sessionCookieKeys, .secretBlocks(cookieKeysTake),
            "the keys that sign session cookies of `createSessionCookie`; the first one signs, all are published",
            default: "none; there are no session cookies"),
        Setting(
            "accounts.issuer", \.issuer, .text, "the `iss` of the ID tokens of accounts",
            default: "`<public-url><path-prefix>/accounts`",
            bounds: SettingBounds("an http or https URL of at most 2048 bytes, without query and fragment") {
                AccountTokens.isIssuer($0)
            }),
        Setting(
            "accounts.email-policy", \.emailPolicy,
            .named("unique or separate", { EmailPolicy(rawValue: $0) }, show: { $0.rawValue }),
            "whether an email belongs to one account only (`unique`) or to any number (`separate`)"),
        Setting("accounts.new-accounts", \.makesAccounts, .bool, "whether a first sign-in creates an account"),
        Setting(
            "accounts.recent-sign-in-seconds", \.recentSignInSeconds, .integer,
            "how long a sign-in is recent, in seconds",
            bounds: .range(60...3600, "a number of seconds")),
        Setting(
            "accounts.recent-sign-in-for", \.recentSignInFor,
            SettingType(
                takes: recentTakes, show: { $0.map { "`\($0.rawValue)`" }.joined(separator: ", ") },
                read: { key, expected, values in
                    guard let names = await values.list(key) else { return nil }
                    let operations = names.compactMap { AccountPolicy.SensitiveOperation(rawValue: $0) }
                    if operations.count != names.count { values.add(key, expected: expected) }
                    return operations
                }),
            "the operations that require a recent sign-in",
            bounds: SettingBounds(recentTakes) { $0.contains(.delete) && Set($0).count == $0.count }),
        Setting(
            "accounts.session-idle-days", \.sessionIdleDays, .integer,
            "the number of days after which an unused session ends",
            bounds: .range(1...3650, "a number of days")),
        Setting(
            "accounts.imported-users-enter-by-email-until", \.importedUsersEnterByEmailUntil, .text,
            "the UTC date until which a user can sign in by email to an imported account without an identity, once, with a "
                + "provider that has `links-by-email`",
            default: "never",
            bounds: SettingBounds("a date such as 2027-06-30, at most a year ahead") { text in
                time(ofDate: text).map { $0 <= SystemUnixClock().now() + 366 * 86_400 } ?? false
            }),
        Setting(
            "accounts.before-create", \.beforeCreate, .text,
            "the URL that decides whether a sign-in creates an account; requests to it are signed like webhooks",
            default: "none",
            bounds: SettingBounds(beforeCreateTakes) {
                BrokerConfiguration.Webhook(url: $0, signingKey: Secret("")).endpoint != nil
            }),
        Setting(
            "sdk-apps", \.appNames, .names, "the names of the apps that use the accounts through an SDK",
            default: "none"),
    ]

    /// The prefix of the keys.
    static let prefix = "auth."

    private static let databaseTakes = "sqlite: and an absolute path, or postgresql"
    static let beforeCreateTakes =
        "an https URL without fragment or user information (http only on loopback), with auth.webhook.signing-key"
    private static let recentTakes = "a list of delete, link, unlink, each once, among them delete"
    static let keysTake = pemTakes + "auth.signing-keys, auth.resource-signing-keys or auth.webhook.signing-key"
    static let cookieKeysTake =
        pemTakes
        + "auth.signing-keys, auth.resource-signing-keys, auth.webhook.signing-key or auth.accounts.signing-keys"
    private static let pemTakes =
        "the PEM texts of P-256 or RSA private keys (2048 to 4096 bits), 1 to \(SigningKeys.maximumCount), each "
        + "once, not in "

    /// Accounts whose configuration has not been read yet.
    static let unknown = AccountsConfiguration(projectID: "", database: "", apps: [])

    /// Reads the keys; `nil` if there are none. A missing value is empty and is found by the validation.
    static func read(from values: inout ConfigurationValues) async -> Self? {
        var accounts = unknown
        let given = await values.read(&accounts, prefix: prefix)
        for index in accounts.apps.indices {
            await values.read(&accounts.apps[index], prefix: accounts.apps[index].prefix)
        }
        return given.isEmpty ? nil : accounts
    }

    /// Validates what was read, and adds every error to the values.
    /// - Parameter broker: The configuration of the broker; `nil` if it has errors, by which accounts cannot be checked.
    mutating func finishReading(from values: inout ConfigurationValues, beside broker: BrokerConfiguration?) {
        values.add(broker.map { validate(beside: $0) } ?? boundsErrors(prefix: Self.prefix))
        exposedSecretFiles = values.exposedSecretFiles
    }

    /// The names of the apps. Setting it replaces the apps by ones whose configuration has not been read yet.
    private var appNames: [String] {
        get { apps.map(\.name) }
        set { apps = newValue.map { SDKAppConfiguration(unknown: $0) } }
    }

    /// How to mend a place that is none, after a semicolon; nothing if that is not known.
    private var databaseAdvice: String {
        if database.hasPrefix("/") { return "; put sqlite: in front of the path" }
        return database.hasPrefix("postgres:") || database.hasPrefix("postgresql:")
            ? "; write postgresql, and the connection string in auth.store.postgresql.connection" : ""
    }

    private var databaseError: String? {
        if isInPostgreSQL {
            #if PostgreSQL
                return nil
            #else
                return "a program that was built with the trait PostgreSQL"
            #endif
        }
        guard databasePath != nil else { return Self.databaseTakes + ", required with accounts" + databaseAdvice }
        #if SQLite
            return nil
        #else
            return "a program that was built with the trait SQLite"
        #endif
    }
}
