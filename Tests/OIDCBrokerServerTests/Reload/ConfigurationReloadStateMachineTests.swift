// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer
@testable import SingleUse

/// When a configuration is read anew, without files and without time.
struct ConfigurationReloadStateMachineTests {
    /// What happens, and what must follow.
    enum Step: Sendable {
        case look(String, ConfigurationReload.StateMachine.Action)
        case signal
        /// It is read, the files being so before and after.
        case load(String, String, ConfigurationReload.StateMachine.Outcome)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        /// What is there at the start is read in any case.
        private static let start: [Step] = [.look("a", .none), .look("a", .load), .load("a", "a", .take)]

        /// - Parameter steps: The steps after the start.
        init(_ testDescription: String, _ steps: [Step]) {
            self.testDescription = testDescription
            self.steps = Self.start + steps
        }
    }

    private static func fingerprint(_ contents: String) -> WatchedFilesFingerprint {
        WatchedFilesFingerprint([(path: "/file", state: .file(Array(contents.utf8)))])
    }

    @Test(arguments: [
        Row("what is there at the start is read once", [.look("a", .none), .look("a", .none)]),
        Row(
            "a change is taken when two looks agree",
            [
                .look("b", .none), .look("b", .load), .load("b", "b", .take), .look("b", .none),
            ]),
        Row(
            "what is being written is not read",
            [
                .look("b", .none), .look("bc", .none), .look("bcd", .none), .look("bcd", .load),
            ]),
        Row("a change that is taken back is none", [.look("b", .none), .look("a", .none), .look("b", .none)]),
        Row(
            "what changed while it was read is forgotten, and read again",
            [
                .look("b", .none), .look("b", .load), .load("b", "c", .discard), .look("c", .load),
                .load("c", "c", .take), .look("c", .none),
            ]),
        Row(
            "what changed back while it was read is not read again",
            [
                .look("b", .none), .look("b", .load), .load("b", "a", .discard), .look("a", .none),
            ]),
        Row(
            "what was refused is not read again, until it is another",
            [
                .look("bad", .none), .look("bad", .load), .load("bad", "bad", .take), .look("bad", .none),
                .look("a", .none), .look("a", .load), .load("a", "a", .take),
            ]),
        Row("a signal reads at once", [.signal, .load("b", "b", .take), .look("b", .none)]),
        Row("a signal reads what is in use as well", [.signal, .load("a", "a", .take), .look("a", .none)]),
        Row(
            "a signal while files are written is not lost",
            [
                .signal, .load("b", "c", .discard), .look("c", .load), .load("c", "d", .discard), .look("d", .load),
                .load("d", "d", .take), .look("d", .none),
            ]),
        Row("two signals are as one", [.signal, .signal, .load("b", "b", .take), .look("b", .none)]),
    ]) func `the configuration is read`(row: Row) {
        var machine = ConfigurationReload.StateMachine()
        for (number, step) in row.steps.enumerated() {
            switch step {
            case .look(let found, let action):
                #expect(machine.looked(Self.fingerprint(found)) == action, "step \(number)")
            case .signal:
                #expect(machine.signaled() == .load)
            case .load(let before, let after, let outcome):
                let found = machine.loaded(before: Self.fingerprint(before), after: Self.fingerprint(after))
                #expect(found == outcome, "step \(number)")
            }
        }
    }
}
