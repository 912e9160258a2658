// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerConfiguration

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Glibc)
        import Glibc
    #endif

    extension WatchedFiles {
        /// What the system knows of files without reading them: device, inode, size and times, of what a path leads to. A
        /// swapped link leads to another inode.
        struct Glance: Sendable, Hashable {
            private struct Entry: Sendable, Hashable {
                let path: String
                /// The numbers; empty if there is nothing.
                let numbers: [Int64]
            }

            private let entries: [Entry]
            /// The latest change of any of them, in seconds since 1970.
            private let latestChange: Int64

            /// Looks at files. It blocks for as long as the disk takes.
            init(at paths: [String]) {
                entries = paths.map { Entry(path: $0, numbers: Self.numbers(of: $0)) }
                latestChange =
                    entries.flatMap { [$0.numbers.dropFirst(3).first ?? 0, $0.numbers.dropFirst(5).first ?? 0] }.max()
                    ?? 0
            }

            /// Whether a later change would be another glance. The times of a file that was changed a moment ago may not
            /// tell a second change.
            func isSettled(at now: Int64) -> Bool { latestChange < now - Self.resolution }

            /// The coarsest resolution of the times of a file system, in seconds.
            private static let resolution: Int64 = 2

            private static func numbers(of path: String) -> [Int64] {
                var status = stat()
                guard stat(path, &status) == 0 else { return [] }
                #if canImport(Darwin)
                    let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
                #else
                    let (modified, changed) = (status.st_mtim, status.st_ctim)
                #endif
                return [
                    Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
                    Int64(truncatingIfNeeded: status.st_size), Int64(modified.tv_sec), Int64(modified.tv_nsec),
                    Int64(changed.tv_sec), Int64(changed.tv_nsec),
                ]
            }
        }

        /// Looks at all of them without reading them; `nil` if that does not tell whether they have changed. It blocks.
        func glance() -> Glance? {
            var all = paths.sorted()
            if let secretsDirectory {
                guard let entries = SecretsDirectory.entries(inDirectory: secretsDirectory),
                    entries.names.count <= SecretsDirectory.maximumEntries
                else { return nil }
                all += [secretsDirectory, entries.directory] + entries.names.map { entries.directory + "/" + $0 }
            }
            return Glance(at: all)
        }

        /// A fingerprint with the glance before it.
        struct Sighting: Sendable {
            let files: WatchedFiles
            let glance: Glance
            let fingerprint: WatchedFilesFingerprint
        }

        /// Reads all of them, unless a glance shows that they are as they were seen the last time.
        ///
        /// - Parameters:
        ///   - known: What was seen the last time; `nil` before.
        ///   - now: The current time, in seconds since 1970.
        /// - Returns: The fingerprint, and what to compare the next glance with.
        func read(
            knowing known: Sighting?, now: Int64
        ) -> (fingerprint: WatchedFilesFingerprint, sighting: Sighting?) {
            let glance = glance()
            if let known, let glance, known.files == self, known.glance == glance { return (known.fingerprint, known) }
            let fingerprint = read()
            guard let glance, glance.isSettled(at: now) else { return (fingerprint, nil) }
            return (fingerprint, Sighting(files: self, glance: glance, fingerprint: fingerprint))
        }
    }
#endif
