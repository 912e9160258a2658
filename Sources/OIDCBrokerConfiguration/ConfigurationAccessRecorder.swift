// SPDX-License-Identifier: Apache-2.0

public import Configuration
import Synchronization

/// An access reporter for a `ConfigReader` that records which keys were read and the source of each value.
///
/// With it, an error can name the source of its value, and keys that the broker does not read can be reported as
/// unknown. It stores no values but the paths of files.
public final class ConfigurationAccessRecorder: AccessReporter {
    private struct Accesses {
        var keys: Set<String> = []
        var sources: [String: String] = [:]
        var files: Set<String> = []
        var filesReadAgain: Set<String> = []
    }

    private let sourceNames: [String: String]
    private let accesses = Mutex(Accesses())

    /// The name of the command line as a source.
    public static let commandLine = "command line"

    /// Creates a recorder.
    ///
    /// - Parameter sourceNames: The names of sources in errors, by the name of their provider. Other providers keep
    ///   their own name.
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

    /// The keys that were read so far, absolute and separated by dots.
    public var keys: Set<String> { accesses.withLock { $0.keys } }

    /// Returns the source that supplied the value of a key, even if the value was of the wrong type; `nil` if there is
    /// no value or the key was not read.
    public func source(of key: String) -> String? { accesses.withLock { $0.sources[key] } }

    /// The paths of the files that were read for a value, or could not be read.
    package var files: Set<String> { accesses.withLock { $0.files } }

    /// The paths of the files that are named by a key and are read again without a reload.
    package var filesReadAgain: Set<String> { accesses.withLock { $0.filesReadAgain } }

    /// Records a file that a key names, whether or not it can be read.
    /// - Parameter isReadAgain: Whether what uses the file reads it again without a reload, as with the TLS files.
    package func noteFile(_ path: String, isReadAgain: Bool = false) {
        accesses.withLock {
            _ = isReadAgain ? $0.filesReadAgain.insert(path) : $0.files.insert(path)
        }
    }

    /// Returns whether a provider ended the search: the first one with a value, or with one that it cannot convert.
    private static func supplies(_ result: AccessEvent.ProviderResult) -> Bool {
        switch result.result {
        case .success(let lookup): lookup.value != nil
        case .failure: true
        }
    }
}
