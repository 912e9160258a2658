// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import oidc_broker
@testable import oidc_broker_demo

/// The help of every command, whose examples can be typed as they stand.
struct HelpExamplesTests {
    /// The commands of each executable: itself, and how many there are at least.
    private static let executables: [(root: any ParsableCommand.Type, count: Int)] = [
        (OIDCBrokerCommand.self, 6), (OIDCBrokerDemoCommand.self, 3),
    ]

    /// A command and all below it that its help has.
    private static func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { commands($0) }
    }

    /// The lines of a help that begin with the name of the executable, behind `Example: ` or by themselves.
    private static func examples(in discussion: String, of root: any ParsableCommand.Type) -> [String] {
        discussion.split(separator: "\n").compactMap { line in
            let mark = "Example: "
            let text = line.hasPrefix(mark) ? line.dropFirst(mark.count) : line.drop { $0 == " " }
            return text.hasPrefix("\(root.configuration.commandName ?? "") ") ? String(text) : nil
        }
    }

    /// The arguments that a shell makes of an example. A redirected file is not one of them.
    private static func arguments(of example: String) -> [String] {
        example.split(separator: " ").dropFirst().prefix { $0 != "<" && $0 != ">" }.map(String.init)
    }

    @Test func `every command says what it does and has an example`() {
        for (root, count) in Self.executables {
            let commands = Self.commands(root)
            #expect(commands.count >= count)
            for command in commands {
                #expect(!command.configuration.abstract.isEmpty, "\(command)")
                #expect(!Self.examples(in: command.configuration.discussion, of: root).isEmpty, "\(command)")
            }
        }
    }

    @Test func `every example is accepted as it stands, by the command whose help has it`() {
        for (root, _) in Self.executables {
            for command in Self.commands(root) {
                for example in Self.examples(in: command.configuration.discussion, of: root) {
                    let isPlain = example.allSatisfy { !"\"'\\$`*".contains($0) }
                    #expect(isPlain, "a shell changes this: \(example)")
                    do {
                        let parsed = try root.parseAsRoot(Self.arguments(of: example))
                        // A command that has others shows one of them.
                        let expected = Self.commands(command).map { ObjectIdentifier($0) }
                        #expect(expected.contains(ObjectIdentifier(type(of: parsed))), "\(command): \(example)")
                    } catch {
                        Issue.record("\(example): \(root.message(for: error))")
                    }
                }
            }
        }
    }
}
