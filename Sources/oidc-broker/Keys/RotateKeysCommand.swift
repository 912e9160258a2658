// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer
import OpenIDRelyingParty

/// The command `oidc-broker keys rotate`.
struct RotateKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Take the next step of a key rotation: add a key second, move it first, drop the old one.",
        discussion: """
            Copy the file to every process after each step. If a step is too early, the exit status is 75 and the \
            earliest time is printed, so a timer can simply run this until it exits with 0. The steps are recorded in \
            FILE.rotation beside the file. Comments between keys are kept, each with the key that follows it.

            Waiting times before a key is moved first, and then before the old one is dropped. sealing: 10 minutes, one \
            day. signing: 15 minutes, one day. resource: 15 minutes, 75 minutes. accounts: 6 hours 10 minutes, 2 hours. \
            session-cookies: 6 hours 10 minutes, 14 days. Remove a stolen key at once, by hand.

            Example:

              oidc-broker keys rotate /etc/oidc-broker/signing-keys.pem --kind signing
            """)

    @Argument(help: "The file with the keys.")
    var file: String

    @Option(help: "What the keys are for.")
    var kind: KeyRotation.Kind

    @Option(
        help: """
            For signing, rotate the keys of this algorithm, if there are several. For accounts, session-cookies and \
            resource, the algorithm of the new key. Default: that of the first key.
            """)
    var algorithm: KeyAlgorithm?

    @Option(help: "The step to take, if no record says which one is next.")
    var step: KeyRotation.Step?

    @Flag(help: "Print what would happen, and change nothing.")
    var dryRun = false

    func validate() throws {
        if kind == .sealing, algorithm != nil { throw ValidationError("A sealing key has no --algorithm.") }
    }

    func run() throws {
        do throws(KeyFileError) {
            for line in try lines(now: SystemUnixClock().now()) { print(line) }
        } catch {
            throw error.exit(path: file)
        }
    }

    /// Takes the step, and returns the lines about it.
    /// - Parameter now: The current time, in seconds since 1970.
    func lines(now: Int64) throws(KeyFileError) -> [String] {
        let rotation = KeyRotation(path: file, kind: kind, algorithm: algorithm?.algorithm, step: step)
        guard !dryRun else {
            let plan = try rotation.plan(now: now)
            return ["This would \(plan.step.phrase)."] + Self.warnings(isKnownToBeInTime: plan.isKnownToBeInTime)
        }
        let prepared = try rotation.prepare(now: now)
        try prepared.commit()
        return [Self.report(prepared)] + Self.warnings(isKnownToBeInTime: prepared.isKnownToBeInTime)
    }

    private static func report(_ done: PreparedKeyRotation) -> String {
        switch done.step {
        case .add:
            "Added the key \(done.keyID) second. Next: \(next(done))."
        case .promote:
            "Moved the key \(done.keyID) first. Next: \(next(done))."
        case .drop:
            "Dropped the key \(done.keyID). Last step: copy the file to every process."
        }
    }

    private static func next(_ done: PreparedKeyRotation) -> String {
        "copy the file to every process; then \(done.step.next.phrase), not before \(UTCTime.text(done.nextTime))"
    }

    private static func warnings(isKnownToBeInTime: Bool) -> [String] {
        isKnownToBeInTime
            ? [] : ["The time of the previous step is unknown: make sure that this step is not too early."]
    }
}
