// SPDX-License-Identifier: Apache-2.0

extension OperationsSource {
    /// The usual metrics of a process: `process_cpu_seconds_total`, memory, open files, threads and the start. On systems
    /// other than Linux there are none.
    public static let process = OperationsSource { ProcessMetrics.samples() }

    /// What this program was built of: `auth_build_info` with these labels, always 1.
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - commit: The commit it was built of; `unknown` if that is not known.
    public static func build(version: String, commit: String) -> OperationsSource {
        let sample = MetricSample(
            "auth_build_info", [("version", version), ("commit", commit), ("swift", compilerVersion)], 1)
        return OperationsSource { [sample] }
    }

    /// The configuration in use: `auth_configuration_info` with its fingerprint, always 1. After a reload there is only
    /// the series of the new one; without a fingerprint there is none.
    public static func configuration(_ fingerprint: CurrentFingerprint) -> OperationsSource {
        OperationsSource {
            guard let current = fingerprint.current else { return [] }
            return [MetricSample("auth_configuration_info", [("hash", current.description)], 1)]
        }
    }

    private static var compilerVersion: String {
        #if compiler(>=6.5)
            "6.5"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// The time that is left of certificates and client secrets: `auth_certificate_remaining_seconds` and
    /// `auth_client_secret_remaining_seconds`, by name.
    /// - Parameters:
    ///   - expiries: What ends, and when.
    ///   - now: A closure that returns the time in seconds since 1970.
    public static func expiries(
        _ expiries: ExpiryDates, now: @escaping @Sendable () -> Int64
    ) -> OperationsSource {
        OperationsSource {
            let now = now()
            return expiries.all.map { entry in
                let name =
                    switch entry.kind {
                    case .certificate: "auth_certificate_remaining_seconds"
                    case .clientSecret: "auth_client_secret_remaining_seconds"
                    }
                return MetricSample(name, [("name", entry.name)], Double(entry.end) - Double(now))
            }
        }
    }
}
