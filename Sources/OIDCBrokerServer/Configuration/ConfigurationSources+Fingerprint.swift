// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerConfiguration
    import OpenIDRelyingParty
    import JOSE
    import OIDCBroker
    import OIDCBrokerOperations

    extension ConfigurationSources {
        /// Returns the fingerprint of what a configuration was read from: the arguments, the variables of the environment
        /// and the contents of the files; `nil` without a sealing key, under which it is computed.
        ///
        /// The TLS files are not among them. They are read again by themselves, so that a fingerprint with them would
        /// be that of files which are no longer there.
        func fingerprint(of broker: BrokerConfiguration) -> ConfigurationFingerprint? {
            guard let key = broker.sealingKeys.first.flatMap({ Base64.decode($0.exposed) }) else { return nil }
            var parts = watchedFiles(all: false).contents
            for (number, argument) in arguments.enumerated() { parts["argument \(number)"] = Array(argument.utf8) }
            for (name, value) in environment where Self.prefixes.contains(where: { name.hasPrefix($0) }) {
                parts["variable \(name)"] = Array(value.utf8)
            }
            return ConfigurationFingerprint(parts: parts, sealingKey: key)
        }

        private static let prefixes = ["AUTH_", "SERVER_"]
    }
#endif
