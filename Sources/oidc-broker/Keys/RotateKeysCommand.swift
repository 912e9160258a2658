// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer
import OpenIDRelyingParty

/// The command `oidc-broker keys rotate`.
struct RotateKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Take the next of the three steps that change a key: add it second, move it first, drop the old one.",
        discussion: """
            Bring the file to every process after each step. A step that comes too early is refused with exit status \
            75 and the time at which it may come; a timer may simply run this until it ends with 0. FILE.rotation, \
            beside the file, records the steps. Comments between keys are kept, each with the key that follows it.

            Times before a key is moved first, and before the old one is dropped: sealing 10 minutes and a day, \
            signing 15 and 20 minutes, accounts six hours and 10 minutes, and two hours. A key that was stolen is removed at \
            once instead, by hand.

            Example:

              oidc-broker keys rotate /etc/oidc-broker/signing-keys.pem --kind signing
            """)

    @Argument(help: "The file with the keys.")
    var file: String

    @Option(help: "What the keys are for.")
    var kind: KeyRotation.Kind

    @Option(
        help: """
            signing: which of the keys are changed, if there are several algorithms. accounts: the algorithm of the \
            new key. Default: that of the first key.
            """)
    var algorithm: KeyAlgorithm?

    @Option(help: "The step, if nothing says which one comes next.")
    var step: KeyRotation.Step?

    @Flag(help: "Say what would happen, and change nothing.")
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
            "Dropped the key \(done.keyID). Nothing is left to do but to bring the file to every process."
        }
    }

    private static func next(_ done: PreparedKeyRotation) -> String {
        "bring the file to every process; then \(done.step.next.phrase), not before \(UTCTime.text(done.nextTime))"
    }

    private static func warnings(isKnownToBeInTime: Bool) -> [String] {
        isKnownToBeInTime
            ? [] : ["Nothing says when the step before was taken, so whether this one is in time is not known."]
    }
}
