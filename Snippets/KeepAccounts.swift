// SPDX-License-Identifier: Apache-2.0

//! A server that embeds the broker keeps the users who sign in. In the page RunningAccounts.
// snippet.hide

import Accounts
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OpenIDRelyingParty
import ServiceLifecycle
import UnixSignals

struct Order: Sendable {
    let owner: AccountID
}

struct Forbidden: Error {}

func keepAccounts(
    configuration: BrokerConfiguration, keys: [Secret], transport: any ProviderTransport, logger: Logger,
    makeServer: (Broker) throws -> any Service
) async throws {
    // snippet.show
    var phone = SDKAppConfiguration(name: "phone", kind: .ios, apiKey: "acme-phone-2b7f")
    phone.nativeAudiences = [.init(provider: "apple.com", audience: "com.example.app")]
    let accounts = try BrokerAccounts(
        configuration: AccountsConfiguration(
            projectID: "acme-prod", database: "sqlite:/var/lib/acme/accounts.sqlite", signingKeys: keys, apps: [phone]),
        broker: configuration, logger: logger)
    let broker = try accounts.makeBroker(configuration: configuration, transport: transport, logger: logger)

    // The server has the broker in its pipeline. The accounts stand before it, so that they end after it.
    let server = try makeServer(broker)
    try await ServiceGroup(
        services: [accounts, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
    ).run()
    // snippet.hide
}

func authorize(_ idToken: String, for order: Order, _ accounts: BrokerAccounts) throws {
    // snippet.show
    let token = try accounts.service.tokens.verify(idToken, now: SystemUnixClock().now())
    guard token.account == order.owner else { throw Forbidden() }
    // snippet.hide
}

func printProfile(_ idToken: String, _ accounts: BrokerAccounts, on eventLoop: any EventLoop) async throws {
    // snippet.show
    let session = try accounts.service.verify(asking: idToken).session
    let profile = try await accounts.service.lookup(asking: session, on: eventLoop).get()
    print(profile.account.id, profile.identities.map(\.verified.providerID))
    // snippet.hide
}
