// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerConfiguration
import OIDCBrokerServer

extension KeyFileError {
    /// The line for the operator.
    /// - Parameter path: The file as the operator named it.
    func line(path: String) -> String {
        if self == .unreadable {
            do throws(ConfigurationFileError) {
                _ = try ConfigurationFile.read(atPath: path)
            } catch {
                return "\(ConfigurationFileError.shown(path)): \(error)"
            }
        }
        guard case .tooEarly(let step, let time) = self else { return "\(path): \(self)" }
        return "\(path): it is too early to \(step.phrase): not before \(UTCTime.text(time))"
    }

    /// Prints the line on standard error, and returns the exit status to throw.
    func exit(path: String) -> ExitCode {
        StandardError.write(line(path: path))
        return ExitCode(exitStatus)
    }
}
