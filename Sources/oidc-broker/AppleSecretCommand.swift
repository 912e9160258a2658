// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import SignInWithApple

/// The command `oidc-broker apple-secret`, which makes a client secret for Apple as the broker makes its own.
struct AppleSecretCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple-secret",
        abstract: "Make a client secret for Sign in with Apple, for other software.",
        discussion: """
            The broker does not need this: it makes its own secrets. The secret goes to standard output, its expiry to \
            standard error. Example:

              oidc-broker apple-secret --team-id ABCDE12345 --key-id FGHIJ67890 --client-id com.example.web \
            --key AuthKey_FGHIJ67890.p8
            """)

    /// The default lifetime, 180 days: a little less than Apple accepts, for a clock that is ahead.
    static let defaultLifetime: Int64 = 15_552_000

    @Option(help: "The team ID: 10 capital letters and digits.")
    var teamID: String

    @Option(help: "The key ID: 10 capital letters and digits.")
    var keyID: String

    @Option(help: "The Services ID, or the bundle ID of an app.")
    var clientID: String

    @Option(help: ArgumentHelp("Apple's .p8 file.", valueName: "file"))
    var key: String

    @Option(help: "The lifetime of the secret, 2 to 15777000 seconds (six months, the maximum at Apple).")
    var lifetimeSeconds: Int64 = AppleSecretCommand.defaultLifetime

    func validate() throws {
        guard AppleKey.isIdentifier(teamID) else { throw ValidationError("--team-id: \(AppleKeyError.teamID)") }
        guard AppleKey.isIdentifier(keyID) else { throw ValidationError("--key-id: \(AppleKeyError.keyID)") }
        guard !clientID.isEmpty, clientID.utf8.count <= 256, clientID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ValidationError("--client-id expects visible ASCII characters, at most 256.") }
        let longest = AppleClientSecret.StateMachine.maximumLifetime
        guard (2...longest).contains(lifetimeSeconds) else {
            throw ValidationError("--lifetime-seconds expects 2 to \(longest).")
        }
    }

    func run() throws {
        let made = try secret(now: SystemUnixClock().now())
        print(made.secret.exposed)
        StandardError.write("The secret expires at \(UTCTime.text(made.expiry)).")
    }

    /// Returns the secret, and when it expires, in seconds since 1970.
    /// - Throws: Exit status 78 if the file is not Apple's, after printing the reason as a line on standard error; 1 if
    ///   the key does not sign.
    func secret(now: Int64) throws -> (secret: Secret, expiry: Int64) {
        let contents: [UInt8]
        do throws(ConfigurationFileError) {
            contents = try ConfigurationFile.read(atPath: key)
        } catch {
            StandardError.write("--key: expected \(error.expected(path: key))")
            throw ExitCode(78)
        }
        let source: AppleClientSecret
        do throws(AppleKeyError) {
            let pem = Secret(ConfigurationValues.text(ofFile: contents))
            source = AppleClientSecret(
                try AppleKey(teamID: teamID, keyID: keyID, privateKey: pem), audience: AppleIssuer.issuer,
                lifetime: lifetimeSeconds, report: { _, _ in })
        } catch {
            StandardError.write("\(key): \(error)")
            throw ExitCode(78)
        }
        do {
            return (try source.clientSecret(forClientID: clientID, now: now), now + lifetimeSeconds)
        } catch {
            StandardError.write("\(AppleKeyError.notSigned)")
            throw ExitCode.failure
        }
    }
}
