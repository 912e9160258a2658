// SPDX-License-Identifier: Apache-2.0

import Accounts
import IdentityToolkit
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Signing

extension BrokerAccounts {
    /// What accounts depend on beside their configuration, which stays when that is replaced.
    struct Dependencies: Sendable {
        let store: any AccountStore
        let clock: any UnixClock
        let elapsed: any ElapsedClock
        let limiter: any AccountLimiter
        /// What waits stays counted.
        let queues = AccountQueues()
        let handlers: AccountHandlers
        let webhooks: AccountWebhooks
        let listener: AccountListener
        let logouts: AppLogouts
        let logoutQueues: LogoutQueues

        /// Prepares a configuration for requests.
        ///
        /// - Parameter madeKeys: The keys to use again where the configuration has none and a key is made; `nil` to make
        ///   one.
        /// - Throws: `BrokerConfigurationError` if the keys cannot be used.
        func toolkit(
            _ configuration: AccountsConfiguration, beside broker: BrokerConfiguration,
            keepingMadeKeysOf madeKeys: SigningKeys? = nil
        ) throws(BrokerConfigurationError) -> IdentityToolkit {
            do {
                let keys =
                    if let madeKeys, configuration.makesKeys(beside: broker) {
                        madeKeys
                    } else {
                        try configuration.keys(beside: broker)
                    }
                guard
                    let tokens = AccountTokens(
                        projectID: configuration.projectID, issuer: configuration.issuer(beside: broker), keys: keys)
                else { throw BrokerConfigurationError(errors: [Self.unusableKeys]) }
                let service = AccountService(
                    store: store, policy: configuration.policy(beside: broker), tokens: tokens,
                    clock: { [clock] in clock.now() }, queues: queues,
                    listener: isListening(beside: broker) ? listener : nil,
                    logouts: logoutQueues.listeners(beside: broker), newAccounts: newAccounts(configuration))
                return try IdentityToolkit(
                    service: service, apps: configuration.apps.map { $0.app(beside: broker) },
                    publicURL: broker.issuer,
                    limits: IdentityToolkit.AccountLimits(limiter: limiter, elapsed: { [elapsed] in elapsed.now() }),
                    cookies: configuration.sessionCookies(for: tokens))
            } catch {
                // No certificate could be made of a key. The description of that error is not this package's.
                throw (error as? BrokerConfigurationError) ?? BrokerConfigurationError(errors: [Self.unusableKeys])
            }
        }

        private func isListening(beside broker: BrokerConfiguration) -> Bool {
            handlers.event != nil || broker.webhook != nil
        }

        private func newAccounts(_ configuration: AccountsConfiguration) -> NewAccountDecider? {
            if let handler = handlers.newAccount {
                return NewAccountDecider { question, eventLoop in
                    HandlerTask.run(
                        within: .seconds(AccountLimits.newAccountSeconds), on: eventLoop,
                        else: NewAccountError("the handler did not decide in time")
                    ) { try await handler(question) }
                }
            }
            guard configuration.beforeCreate != nil else { return nil }
            return NewAccountDecider { [webhooks] in webhooks.decide(about: $0, on: $1) }
        }

        /// What delivers events.
        func delivery(logger: Logger) -> AccountEventDelivery {
            let delivery = EventDelivery(store: store, listener: listener, clock: { [clock] in clock.now() }) {
                [handlers, webhooks] event, eventLoop in
                guard let handler = handlers.event else { return try await webhooks.deliver(event, on: eventLoop) }
                try await HandlerTask.run(
                    within: AccountWebhooks.eventTimeout, on: eventLoop,
                    else: EventRefusal("the handler did not return in time")
                ) { try await handler(event) }.get()
            }
            return AccountEventDelivery(delivery, clock: clock, logger: logger) { [handlers, webhooks] in
                handlers.event != nil || webhooks.hasEvents
            }
        }

        private static var unusableKeys: ConfigurationError {
            AccountsConfiguration.error(
                \.signingKeys, prefix: AccountsConfiguration.prefix, expected: AccountsConfiguration.keysTake)
        }
    }
}
