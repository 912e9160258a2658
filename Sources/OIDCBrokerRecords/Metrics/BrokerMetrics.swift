// SPDX-License-Identifier: Apache-2.0

package import Metrics

/// What one broker counts and measures. The values of all labels are from closed lists: IDs of providers and names of apps
/// of the configuration, or `none`, and the steps and outcomes of this module.
package final class BrokerMetrics: Sendable {
    /// The label of a provider or app that is not known.
    package static let none = "none"

    /// Authorization requests, by `app`, `provider` and `outcome`.
    package let starts: CounterFamily
    /// Logins that an embedding server began, by `app` and `outcome`.
    package let logins: CounterFamily
    /// Callbacks, by `provider` and `outcome`.
    package let callbacks: CounterFamily
    /// Redemptions of codes, by `app` and `outcome`.
    package let redemptions: CounterFamily
    /// UserInfo requests, by `outcome`.
    package let userInfo: CounterFamily
    /// Presented credentials, by `provider` and `outcome`.
    package let credentials: CounterFamily
    /// Revocations, by `provider` and `outcome`.
    package let revocations: CounterFamily
    /// Logouts, by `outcome`.
    package let logouts: CounterFamily
    /// Operations on accounts, by `operation` and `outcome`.
    package let accountOperations: CounterFamily
    /// Notifications, by `provider` and `outcome`.
    package let notifications: CounterFamily
    /// Requests over a limit, by `limit`.
    package let limits: CounterFamily
    /// Failed fetches after which expired keys stay in use, by `provider`.
    let expiredKeySets: CounterFamily
    /// Private keys that providers publish, by `provider`. Their IDs are the provider's choice, and no label.
    let publishedPrivateKeys: CounterFamily
    /// Fields of trusted proxies that name no client that can be read.
    package let unreadableForwarding: CounterFamily
    /// The time from a callback of a login to its response, by `provider`.
    package let callbackDuration: TimerFamily
    /// The time of a request to a provider, by `provider` and `step`.
    let providerRequestDuration: TimerFamily
    /// The time from a token request to its response.
    package let redemptionDuration: TimerFamily

    /// The metrics system that was given; `nil` for the one that is bootstrapped.
    package let given: (any MetricsFactory)?
    /// The metrics system; the one that is bootstrapped by now if none was given.
    package var factory: any MetricsFactory { given ?? MetricsSystem.factory }

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped.
    package init(factory: (any MetricsFactory)? = nil) {
        given = factory
        func counters(_ label: String, _ names: String...) -> CounterFamily {
            CounterFamily(label, names, factory: factory)
        }
        func timers(_ label: String, _ names: String...) -> TimerFamily {
            TimerFamily(label, names, factory: factory)
        }
        starts = counters("auth_starts", "app", "provider", "outcome")
        logins = counters("auth_logins", "app", "outcome")
        callbacks = counters("auth_callbacks", "provider", "outcome")
        redemptions = counters("auth_redemptions", "app", "outcome")
        userInfo = counters("auth_user_info", "outcome")
        credentials = counters("auth_credentials", "provider", "outcome")
        revocations = counters("auth_revocations", "provider", "outcome")
        logouts = counters("auth_logouts", "outcome")
        accountOperations = counters("auth_account_operations", "operation", "outcome")
        notifications = counters("auth_notifications", "provider", "outcome")
        limits = counters("auth_limits", "limit")
        expiredKeySets = counters("auth_expired_key_sets", "provider")
        publishedPrivateKeys = counters("auth_published_private_keys", "provider")
        unreadableForwarding = counters("auth_forwarded_unreadable")
        callbackDuration = timers("auth_callback_duration_seconds", "provider")
        providerRequestDuration = timers("auth_provider_request_duration_seconds", "provider", "step")
        redemptionDuration = timers("auth_redemption_duration_seconds")
    }
}
