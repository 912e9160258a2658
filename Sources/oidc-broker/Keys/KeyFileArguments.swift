// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer

/// The arguments that name a file with keys to be read.
struct KeyFileArguments: ParsableArguments {
    @Argument(help: "The file with the keys.")
    var file: String

    @Option(
        help: """
            What the keys are for. Default: what a rotation of this file has recorded; otherwise signing for PEM, and \
            sealing for anything else.
            """)
    var kind: KeyKind?

    /// Reads the file.
    /// - Throws: Exit status 78, after printing the reason as a line on standard error.
    func read() throws -> KeyFile {
        do throws(KeyFileError) {
            return try KeyFile.read(path: file, kind: kind)
        } catch {
            throw error.exit(path: file)
        }
    }
}
