// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Returns an error for each app of kind `in-process` without a handler, and for each handler without such an app.
    /// - Parameter handled: The names of the apps that have a handler.
    package func errors(handled: Set<String>) -> [ConfigurationError] {
        let inProcess = apps.filter { $0.kind == .inProcess }
        let unhandled = inProcess.filter { !handled.contains($0.name) }.map { app in
            App.error(\.kind, prefix: app.prefix, expected: "oidc: the server has no handler for this app")
        }
        let names = Set(inProcess.map(\.name))
        return unhandled
            + handled.subtracting(names).sorted().map { name in
                App.error(
                    \.kind, prefix: App(unknown: name).prefix,
                    expected: "in-process: the server has a handler for this app")
            }
    }

    /// Returns an error for each app with accounts if nothing in the server decides about its sign-ins.
    package func errors(decidesSignIns: Bool) -> [ConfigurationError] {
        guard !decidesSignIns else { return [] }
        return apps.filter(\.accounts).map { app in
            App.error(
                \.accounts, prefix: app.prefix, expected: "false, or a server with accounts: auth.accounts.project-id")
        }
    }

    /// Returns an error for each provider whose logout tokens are accepted if neither a part of the server nor a webhook
    /// receives them.
    package func errors(receivesNotifications: Bool) -> [ConfigurationError] {
        guard !receivesNotifications, webhook == nil else { return [] }
        return providers.filter(\.backChannelLogout).map { provider in
            Provider.error(
                \.backChannelLogout, prefix: provider.prefix,
                expected: "false, or a receiver of logout tokens: auth.accounts.project-id or auth.webhook.url")
        }
    }
}
