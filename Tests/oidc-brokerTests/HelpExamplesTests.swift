// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import oidc_broker

/// The help of every command, whose examples can be typed as they stand.
struct HelpExamplesTests {
    /// A command and all below it.
    private static func commands(
        _ command: any ParsableCommand.Type = OIDCBrokerCommand.self
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands($0) }
    }

    /// The lines of a help that begin with the name of the executable, behind `Example: ` or by themselves.
    private static func examples(in discussion: String) -> [String] {
        discussion.split(separator: "\n").compactMap { line in
            let mark = "Example: "
            let text = line.hasPrefix(mark) ? line.dropFirst(mark.count) : line.drop { $0 == " " }
            return text.hasPrefix("oidc-broker ") ? String(text) : nil
        }
    }

    /// The arguments that a shell makes of an example. A file that it redirects is none of them.
    private static func arguments(of example: String) -> [String] {
        example.split(separator: " ").dropFirst().prefix { $0 != "<" && $0 != ">" }.map(String.init)
    }

    @Test func `every command says what it does and has an example`() {
        let commands = Self.commands()
        #expect(commands.count > 5)
        for command in commands {
            #expect(!command.configuration.abstract.isEmpty, "\(command)")
            #expect(!Self.examples(in: command.configuration.discussion).isEmpty, "\(command)")
        }
    }

    @Test func `every example is accepted as it stands, by the command whose help has it`() {
        for command in Self.commands() {
            for example in Self.examples(in: command.configuration.discussion) {
                let isPlain = example.allSatisfy { !"\"'\\$`*".contains($0) }
                #expect(isPlain, "a shell changes this: \(example)")
                do {
                    let parsed = try OIDCBrokerCommand.parseAsRoot(Self.arguments(of: example))
                    // A command that has others shows one of them.
                    let expected = Self.commands(command).map { ObjectIdentifier($0) }
                    #expect(expected.contains(ObjectIdentifier(type(of: parsed))), "\(command): \(example)")
                } catch {
                    Issue.record("\(example): \(OIDCBrokerCommand.message(for: error))")
                }
            }
        }
    }
}
