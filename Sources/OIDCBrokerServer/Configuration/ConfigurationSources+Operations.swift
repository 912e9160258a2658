// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBroker
    package import OIDCBrokerConfiguration

    extension ConfigurationSources {
        /// Reads only the keys of the listener for operators.
        ///
        /// A health check finds the listener by this. It must not read the whole configuration: while a new one is not
        /// valid the server goes on with the old one, and is healthy.
        ///
        /// - Throws: All errors in these keys at once.
        package func loadOperations() async throws(BrokerConfigurationError) -> OperationsConfiguration {
            var values = ConfigurationValues(config: config, accesses: accesses)
            var operations = OperationsConfiguration()
            await values.read(&operations, prefix: OperationsConfiguration.prefix)
            values.add(operations.boundsErrors(prefix: OperationsConfiguration.prefix))
            guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
            return operations
        }
    }
#endif
