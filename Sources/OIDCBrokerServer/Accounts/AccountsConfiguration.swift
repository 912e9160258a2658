// SPDX-License-Identifier: Apache-2.0

public import Accounts
import OIDCBroker
public import OIDCBrokerConfiguration
public import OpenIDRelyingParty

/// The configuration of the accounts of a server: the keys under `auth.accounts.` and `auth.sdk-app.`.
///
/// It is a plain value that is built in code or read with the rest of the configuration. While the accounts are open,
/// ``BrokerAccounts/reload(_:brokerConfiguration:of:)`` replaces it, except for ``projectID`` and ``database``.
public struct AccountsConfiguration: Sendable, Hashable {
    /// The ID of the project, which is the audience of the ID tokens of accounts: `auth.accounts.project-id`.
    public var projectID: String
    /// Where the accounts are stored: `auth.accounts.database`. It is `sqlite:` and an absolute path, for one
    /// serving process, or `postgresql`, for the server of ``StoreConfiguration/postgresql``, which replicas share.
    public var database: String
    /// The PEM texts of the private keys that sign ID tokens of accounts and nothing else, newest first:
    /// `auth.accounts.signing-keys`. Each is a P-256 key for ES256 or an RSA key of 2048 to 4096 bits for RS256. The
    /// first one signs; all are published. It may be empty if the public URL is a loopback one.
    public var signingKeys: [Secret] = []
    /// The PEM texts of the private keys that sign session cookies and nothing else, newest first, like ``signingKeys``:
    /// `auth.accounts.session-cookie-keys`. If it is empty, session cookies are not offered.
    public var sessionCookieKeys: [Secret] = []
    /// The `iss` of the ID tokens of accounts; `nil` for the broker's issuer followed by `/accounts`:
    /// `auth.accounts.issuer`.
    public var issuer: String?
    /// Whether an email belongs to one account only: `auth.accounts.email-policy`.
    public var emailPolicy: EmailPolicy = .unique
    /// Whether the first sign-in of an identity makes an account: `auth.accounts.new-accounts`.
    public var makesAccounts = true
    /// How long a sign-in counts as recent, in seconds: `auth.accounts.recent-sign-in-seconds`.
    public var recentSignInSeconds = 300
    /// The operations that require a recent sign-in, among them `delete`: `auth.accounts.recent-sign-in-for`.
    public var recentSignInFor: [AccountPolicy.SensitiveOperation] = [.delete, .link, .unlink]
    /// The time after which an unused session ends, in days: `auth.accounts.session-idle-days`.
    public var sessionIdleDays = 400
    /// The date in UTC, as `2027-06-30`, until which a sign-in with the email of an imported account reaches that account
    /// if it has no identity of this server; `nil` for never: `auth.accounts.imported-users-enter-by-email-until`.
    public var importedUsersEnterByEmailUntil: String?
    /// The URL that is asked before a sign-in makes an account, https or http on a loopback host; `nil` for none:
    /// `auth.accounts.before-create`. The requests are signed as webhooks are, whose key is required.
    public var beforeCreate: String?
    /// The apps that use the accounts through an SDK: `auth.sdk-apps` and `auth.sdk-app.<name>.…`.
    public var apps: [SDKAppConfiguration]
    /// The files with secrets that users other than their owner and its group can read or write.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// Creates a configuration. All other members have the defaults of their keys.
    public init(projectID: String, database: String, signingKeys: [Secret] = [], apps: [SDKAppConfiguration]) {
        self.projectID = projectID
        self.database = database
        self.signingKeys = signingKeys
        self.apps = apps
    }

    /// The client IDs of the apps at providers, for `BrokerConfiguration.sdkAppAudiences`.
    public var sdkAppAudiences: [BrokerConfiguration.NativeAudience] { apps.flatMap(\.nativeAudiences) }

    /// Whether ``database`` names the server of ``StoreConfiguration/postgresql``.
    package var isInPostgreSQL: Bool { Self.isPostgreSQL(database: database) }

    /// Returns whether a text names the server of the store instead of a file.
    package static func isPostgreSQL(database: String) -> Bool { database == "postgresql" }

    /// The path of the SQLite database; `nil` if ``database`` names none.
    var databasePath: String? { Self.path(ofDatabase: database) }

    /// Returns the path of the SQLite database that a text names, which is `sqlite:` and an absolute path; `nil` if it
    /// names none.
    package static func path(ofDatabase database: String) -> String? {
        let scheme = "sqlite:"
        guard database.hasPrefix(scheme + "/"), database.utf8.count > scheme.utf8.count + 1,
            !database.utf8.contains(0)
        else { return nil }
        return String(database.dropFirst(scheme.count))
    }

    /// Returns the webhook that is asked about new accounts; `nil` if there is none.
    func newAccountWebhook(beside broker: BrokerConfiguration) -> BrokerConfiguration.Webhook? {
        guard let beforeCreate, let webhook = broker.webhook else { return nil }
        return BrokerConfiguration.Webhook(url: beforeCreate, signingKey: webhook.signingKey)
    }

    /// Returns the `iss` of the ID tokens of accounts beside a broker.
    package func issuer(beside broker: BrokerConfiguration) -> String { issuer ?? broker.issuer + "/accounts" }
}
