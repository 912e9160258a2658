// SPDX-License-Identifier: Apache-2.0

// What differs between two configurations, by the declarations of the keys.

extension SettingSection {
    /// Returns the keys, after a prefix, whose values differ from those of an earlier section.
    package func changedKeys(since earlier: Self, prefix: String) -> [String] {
        Self.settings.filter { !$0.isSame(in: self, and: earlier) }.map { prefix + $0.key }
    }

    /// Takes over the values of a running section that need a restart to change.
    /// - Returns: The keys, after a prefix, whose values were different.
    package mutating func keepFixed(of running: Self, prefix: String) -> [String] {
        var kept: [String] = []
        for setting in Self.settings where setting.isFixedWhileRunning && !setting.isSame(in: self, and: running) {
            setting.copy(from: running, to: &self)
            kept.append(prefix + setting.key)
        }
        return kept
    }
}

extension BrokerConfiguration {
    /// Takes over the values of a running configuration that need a restart to change.
    /// - Returns: The keys whose values were different.
    package mutating func keepFixedValues(of running: BrokerConfiguration) -> [String] {
        keepFixed(of: running, prefix: Self.prefix)
    }

    /// Returns the keys whose values differ from those of an earlier configuration. Of a provider, an app, a resource, the
    /// webhook and the branding, only the section is named. No value is.
    package func changedNames(since earlier: BrokerConfiguration) -> [String] {
        var names = changedKeys(since: earlier, prefix: Self.prefix)
        for provider in providers where !earlier.providers.contains(provider) {
            names.append(Self.section(provider.prefix))
        }
        for app in apps where !earlier.apps.contains(app) { names.append(Self.section(app.prefix)) }
        for resource in resources where !earlier.resources.contains(resource) {
            names.append(Self.section(resource.prefix))
        }
        if webhook != earlier.webhook { names.append(Self.section(Webhook.prefix)) }
        if branding != earlier.branding { names.append(Self.section(Branding.prefix)) }
        return names
    }

    /// Returns whether a broker behaves the same with another configuration. What the operator was told about a
    /// configuration does not matter.
    package func behaves(as other: BrokerConfiguration) -> Bool {
        var other = other
        other.warnings = warnings
        other.exposedSecretFiles = exposedSecretFiles
        return self == other
    }

    /// Returns the name of a section, which is its prefix without the dot.
    private static func section(_ prefix: String) -> String { String(prefix.dropLast()) }
}
