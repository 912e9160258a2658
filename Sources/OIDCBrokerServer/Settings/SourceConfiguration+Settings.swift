// SPDX-License-Identifier: Apache-2.0

package import OIDCBroker

/// What the sources of the configuration say of themselves: more keys under `auth.`.
package struct SourceConfiguration: SettingSection {
    /// `auth.secrets-directory`: the directory of secret files.
    package var secretsDirectory: String?

    package static let settings: [Setting<SourceConfiguration>] = [
        Setting(
            "secrets-directory", \.secretsDirectory,
            .named("the path of one directory", { $0 }, show: { $0 }), "the directory of secret files")
    ]

    /// What its keys begin with.
    static let prefix = "auth."

    /// Sources that say nothing.
    package init() {}
}
