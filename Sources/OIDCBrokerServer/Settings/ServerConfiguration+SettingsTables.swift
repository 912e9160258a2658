// SPDX-License-Identifier: Apache-2.0

package import OIDCBroker

extension ServerConfiguration {
    /// The tables of the keys that only the standalone server reads, one for each section.
    package static var settingsTables: [SettingsTable] {
        [
            SettingsTable("the sources", prefix: SourceConfiguration.prefix, SourceConfiguration()),
            SettingsTable("the standalone server", prefix: prefix, ServerConfiguration()),
            SettingsTable(
                "its TLS files", prefix: TLSFiles.prefix, TLSFiles(certificateChain: "", privateKey: "")),
        ]
    }
}
