// SPDX-License-Identifier: Apache-2.0

import Crypto
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The files themselves, while the server runs.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleKeyReloadTests {
    private static func options(
        _ log: LogRecorder, _ files: TemporaryDirectory, _ key: MockApple.DeveloperKey
    ) throws -> RunningServer.Options {
        try files.write("apple.p8", key.privateKey.exposed.utf8)
        try files.write("apple.kid", (key.keyID + "\n").utf8)
        var provider = BrokerConfiguration.Provider.apple(
            clientID: "com.example.web", teamID: key.teamID, keyID: key.keyID,
            privateKey: Secret(ConfigurationValues.text(ofFile: Array(key.privateKey.exposed.utf8))))
        provider.apple?.privateKeyFile = files.file("apple.p8")
        provider.apple?.keyIDFile = files.file("apple.kid")
        var options = RunningServer.Options()
        options.logger = log.logger
        options.limits.certificateRefreshInterval = .milliseconds(20)
        options.configuration = { [provider] publicURL in
            var configuration = BrokerConfiguration.test(
                publicURL: publicURL, apps: [AppClient.publicApp.configuration])
            configuration.providers.append(provider)
            return configuration
        }
        return options
    }

    @Test(.attack(.applePrivateKey))
    func `a new key and its id are used together, and a file that is not a key is reported`() async throws {
        let log = LogRecorder()
        let first = MockApple.DeveloperKey.make(teamID: "TEAM123456")
        let next = MockApple.DeveloperKey.make(teamID: "TEAM123456")
        try await TemporaryDirectory.use { files in
            try await RunningServer.run(Self.options(log, files, first)) { _ in
                try files.write("apple.p8", "no key".utf8)
                try await log.wait(forPrefix: "invalid new key of the provider")
                try files.write("apple.kid", next.keyID.utf8)
                try files.write("apple.p8", next.privateKey.exposed.utf8)
                try await log.wait(forPrefix: "provider key reloaded")
            }
        }
    }
}
