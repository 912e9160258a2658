// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// By what replicas with different configurations are told apart.
struct ConfigurationInfoTests {
    private func fingerprint(_ text: String) -> ConfigurationFingerprint {
        ConfigurationFingerprint(parts: ["a": Array(text.utf8)], sealingKey: [UInt8](repeating: 7, count: 32))
    }

    @Test func `the series of a configuration ends with it`() {
        let current = CurrentFingerprint()
        let source = OperationsSource.configuration(current)
        #expect(source.samples().isEmpty)
        for text in ["old", "new"] {
            current.update(fingerprint(text))
            let samples = source.samples()
            #expect(samples.map(\.name) == ["auth_configuration_info"])
            #expect(samples.map(\.value) == [1])
            #expect(samples.map { $0.labels.map { "\($0.name) \($0.value)" } } == [["hash \(fingerprint(text))"]])
        }
        #expect(fingerprint("old") != fingerprint("new"))
        current.update(nil)
        #expect(source.samples().isEmpty)
    }
}
