// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration

extension ServerConfiguration {
    /// The tables of the keys that only the standalone server reads, one for each section.
    package static var settingsTables: [SettingsTable] {
        let apps = SDKAppConfiguration.Kind.allCases.map { kind in
            var app = SDKAppConfiguration(unknown: "<name>")
            app.kind = kind
            return SettingsTable("an app of an SDK", prefix: app.prefix, app)
        }
        return [
            SettingsTable("the store", prefix: StoreConfiguration.prefix, StoreConfiguration()),
            SettingsTable("the accounts", prefix: AccountsConfiguration.prefix, AccountsConfiguration.unknown),
            // An app of each kind has keys that the others do not have.
            apps.dropFirst().reduce(apps[0], +),
            SettingsTable("the sources", prefix: SourceConfiguration.prefix, SourceConfiguration()),
            SettingsTable("the standalone server", prefix: prefix, ServerConfiguration())
                + SettingsTable("", prefix: prefix, Limits()),
            SettingsTable(
                "its TLS files", prefix: TLSFiles.prefix, TLSFiles(certificateChain: "", privateKey: "")),
            SettingsTable(
                "its loopback listener", prefix: LoopbackConfiguration.prefix, LoopbackConfiguration()),
            SettingsTable("its log", prefix: LogConfiguration.prefix, LogConfiguration()),
            SettingsTable("its operations", prefix: OperationsConfiguration.prefix, OperationsConfiguration()),
        ]
    }
}
