// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import OIDCBrokerTesting

/// The folders of a command, and the certificate that it made for itself.
struct Workplace: Sendable {
    /// The folder with the target files and the start scripts.
    let benchmarks: String
    /// The folder that the start scripts install into.
    let work: String
    /// A folder of this run.
    let scratch: String
    /// For the target and for the provider, where they speak TLS.
    let certificate: DevelopmentCertificate
    private let namedBroker: String?

    /// Makes the folder of this run.
    ///
    /// - Parameter broker: The broker's executable; nil: the one beside this tool.
    init(benchmarks: String, work: String, broker: String? = nil) throws {
        if let broker, !SystemFile.exists(broker) { throw LatencyToolError("\(broker) is missing") }
        namedBroker = broker.map { SystemFile.absolute($0) }
        self.benchmarks = SystemFile.absolute(benchmarks)
        self.work = SystemFile.absolute(work)
        let name = "callback-latency-\(ProcessInfo.processInfo.processIdentifier)"
        scratch = FileManager.default.temporaryDirectory.appending(path: name).path
        certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1", "localhost"])
        try SystemFile.write(Array(certificate.certificatePEM.utf8), to: certificatePath)
        try SystemFile.write(Array(certificate.privateKeyPEM.utf8), to: privateKeyPath)
    }

    /// Takes the folder of this run away, with the key in it.
    func remove() { try? FileManager.default.removeItem(atPath: scratch) }

    var certificatePath: String { scratch + "/certificate.pem" }
    var privateKeyPath: String { scratch + "/private-key.pem" }

    /// A new folder for what a launch of a target writes.
    func makeFolder(of target: String) throws -> String {
        let name = target.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        let folder = "\(scratch)/\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// This tool's executable.
    var tool: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? SystemFile.absolute(CommandLine.arguments[0])
    }

    /// The broker's executable: the one that was named, or the one beside this tool. A build of this tool alone has none:
    /// then this tool serves, from the same modules.
    var broker: String {
        if let namedBroker { return namedBroker }
        let beside = URL(filePath: tool).deletingLastPathComponent().appending(path: "oidc-broker").path
        return SystemFile.exists(beside) ? beside : tool
    }

    /// The variables that every run has.
    private var folders: TargetVariables {
        var variables = TargetVariables()
        variables[.benchmarks] = benchmarks
        variables[.work] = work
        return variables
    }

    /// Whether everything is there that a target asks for.
    func isInstalled(_ file: TargetFile) -> Bool {
        (file.requires ?? []).allSatisfy { path in
            // One that follows from the run is validated when the target is launched.
            guard let path = try? Template.expanded(path, fixed: folders.byName) else { return true }
            return SystemFile.exists(path)
        }
    }

    /// What a target's own command says of its versions; `nil` if it has none, or it fails.
    func version(of file: TargetFile) -> String? {
        guard let words = file.version, !words.isEmpty else { return nil }
        let command = words.compactMap { try? Template.expanded($0, fixed: folders.byName) }
        guard command.count == words.count else { return nil }
        return ShortProgram.lines(of: command, output: scratch + "/version.txt")?.joined(separator: ", ")
    }

    /// The variables of target files.
    func variables(
        provider: FastProvider, algorithm: SignatureAlgorithm, isTLS: Bool, processors: ProcessorList?
    ) -> TargetVariables {
        var variables = folders
        variables[.issuer] = provider.issuers.first
        variables[.provider] = provider.origin
        variables[.providerHost] = "127.0.0.1"
        variables[.providerPort] = String(provider.port)
        variables[.providerCertificate] = certificatePath
        variables[.providers] = provider.issuers.indices.map { "p\($0)" }.joined(separator: ",")
        variables[.algorithm] = algorithm.rawValue
        variables[.clientID] = ProviderClient.id
        variables[.clientSecret] = ProviderClient.secret
        variables[.scheme] = isTLS ? "https" : "http"
        variables[.certificate] = certificatePath
        variables[.privateKey] = privateKeyPath
        variables[.broker] = broker
        variables[.tool] = tool
        variables[.processors] = String(processors?.numbers.count ?? ProcessInfo.processInfo.activeProcessorCount)
        return variables
    }
}
