// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration

/// The configuration of the sources themselves: further keys under `auth.`.
package struct SourceConfiguration: SettingSection, Hashable {
    /// The path of the directory of secret files: `auth.secrets-directory`.
    package var secretsDirectory: String?

    package static let settings: [Setting<SourceConfiguration>] = [
        Setting(
            "secrets-directory", \.secretsDirectory,
            .named("the path of one directory", { $0 }, show: { $0 }),
            "a directory with one file per secret, such as `auth-sealing-keys`"
        ).fixedWhileRunning()
    ]

    /// The prefix of the keys.
    static let prefix = "auth."

    /// Creates a configuration without a value.
    package init() {}
}
