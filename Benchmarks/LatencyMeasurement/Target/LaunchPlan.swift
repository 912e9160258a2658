// SPDX-License-Identifier: Apache-2.0

/// The command that starts a target, with all variables expanded.
package struct LaunchPlan: Sendable, Hashable {
    /// The program and its arguments; empty if the target already runs.
    package let command: [String]
    /// The environment in addition to this tool's own.
    package let environment: [String: String]
    /// The working directory.
    package let directory: String?
    /// The required files.
    package let requires: [String]

    /// Creates the plan of a program that is no target.
    package init(command: [String], requires: [String]) {
        self.command = command
        self.requires = requires
        environment = [:]
        directory = nil
    }

    /// Expands a target file.
    ///
    /// - Parameters:
    ///   - file: The target.
    ///   - variables: The values of the variables.
    ///   - issuers: The issuer of each provider, at least one.
    ///   - isTLS: Whether browsers use TLS.
    ///   - isProviderTLS: Whether the provider uses HTTPS.
    ///   - hasAccounts: Whether the target keeps accounts.
    /// - Throws: ``TargetFileError``.
    package init(
        _ file: TargetFile, variables: TargetVariables, issuers: [String], isTLS: Bool, isProviderTLS: Bool,
        hasAccounts: Bool = false
    ) throws(TargetFileError) {
        var additions: [TargetFile.Addition] = []
        if isTLS {
            guard let tls = file.tls else { throw .contradiction("\(file.name) does not do TLS: it has no 'tls'") }
            additions.append(tls)
        }
        if isProviderTLS {
            guard let tls = file.providerTLS else {
                throw .contradiction("\(file.name) does not take an HTTPS provider: it has no 'provider_tls'")
            }
            additions.append(tls)
        }
        if hasAccounts {
            guard let accounts = file.accounts else {
                throw .contradiction("\(file.name) keeps no accounts: it has no 'accounts'")
            }
            additions.append(accounts)
        }
        let fixed = variables.byName
        var command: [String] = []
        for argument in file.launch ?? [] { command.append(try Template.expanded(argument, fixed: fixed)) }
        var environment: [String: String] = [:]
        for (name, value) in file.environment ?? [:] {
            environment[name] = try Template.expanded(value, fixed: fixed)
        }
        for addition in additions {
            for argument in addition.arguments ?? [] { command.append(try Template.expanded(argument, fixed: fixed)) }
            for (name, value) in addition.environment ?? [:] {
                environment[name] = try Template.expanded(value, fixed: fixed)
            }
        }
        if let eachProvider = file.eachProvider {
            for (number, issuer) in issuers.enumerated() {
                let own = variables.forProvider(number, issuer: issuer)
                for (name, value) in eachProvider {
                    let expandedName = try Template.expanded(name, fixed: own)
                    environment[expandedName] = try Template.expanded(value, fixed: own)
                }
            }
        } else if issuers.count > 1 {
            throw .contradiction("\(file.name) has one provider: it has no 'each_provider'")
        }
        self.command = command
        self.environment = environment
        if let directory = file.directory {
            self.directory = try Template.expanded(directory, fixed: fixed)
        } else {
            directory = nil
        }
        var requires: [String] = []
        for path in file.requires ?? [] { requires.append(try Template.expanded(path, fixed: fixed)) }
        self.requires = requires
    }
}
