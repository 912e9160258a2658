// SPDX-License-Identifier: Apache-2.0

public import Configuration
import Synchronization

/// Remembers which keys were read and which source supplied each: an access reporter for a `ConfigReader`.
///
/// With it an error can say where its value came from, and whatever nobody read can be reported as unknown. It keeps
/// no values.
public final class ConfigurationAccessRecorder: AccessReporter {
    private struct Accesses {
        var keys: Set<String> = []
        var sources: [String: String] = [:]
    }

    private let sourceNames: [String: String]
    private let accesses = Mutex(Accesses())

    /// What the command line is called as a source.
    public static let commandLine = "command line"

    /// A recorder.
    ///
    /// - Parameter sourceNames: what to call providers in errors, by the provider's own name; others keep their own.
    public init(sourceNames: [String: String] = [:]) {
        let usual = [
            "CommandLineArgumentsProvider": Self.commandLine,
            "EnvironmentVariablesProvider": "environment",
            "DirectoryFilesProvider": "secret files",
            "FileProvider<YAMLSnapshot>": "configuration file",
            "FileProvider<JSONSnapshot>": "configuration file",
        ]
        self.sourceNames = usual.merging(sourceNames) { $1 }
    }

    public func report(_ event: AccessEvent) {
        let key = event.metadata.key.components.joined(separator: ".")
        let source = event.providerResults.last.flatMap { Self.supplies($0) ? $0.providerName : nil }
        let name = source.map { sourceNames[$0] ?? $0 }
        accesses.withLock {
            $0.keys.insert(key)
            $0.sources[key] = name
        }
    }

    /// The keys that were read so far, absolute, with dots.
    public var keys: Set<String> { accesses.withLock { $0.keys } }

    /// Which source supplied the value of a key, also where the value was not of the right type; `nil` if none did or
    /// nobody read the key.
    public func source(of key: String) -> String? { accesses.withLock { $0.sources[key] } }

    /// Providers are asked in order and the first with a value, or with one it cannot convert, ends the search.
    private static func supplies(_ result: AccessEvent.ProviderResult) -> Bool {
        switch result.result {
        case .success(let lookup): lookup.value != nil
        case .failure: true
        }
    }
}
