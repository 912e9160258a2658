// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerOperations

    #if canImport(Glibc)
        import Glibc
    #endif

    /// The pages of the executable and its libraries that only the start needed.
    ///
    /// The start reads much of the program once, the loader's tables above all, and the kernel maps 64 KB around each page
    /// that is read. All of it would count as memory of the process for as long as it runs. What is needed again comes back
    /// from the page cache. `Benchmarks/NOTES.md` has the figures.
    enum StartPages {
        /// Gives the pages back to the kernel.
        static func release() {
            guard let mappings = ProcessFile.contents("/proc/self/smaps") else { return }
            release(unmodified(inMappings: String(decoding: mappings, as: UTF8.self)))
        }

        /// Removes ranges of addresses from this process's page table. They must be as a file has them: what was written to
        /// them would be lost.
        static func release(_ ranges: [Range<UInt>]) {
            #if canImport(Glibc)
                for range in ranges {
                    _ = madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
                }
            #endif
        }

        /// Returns the addresses of the private mappings of files in a `/proc/PID/smaps` that cannot be written to, and of
        /// which no page differs from the file: neither one that the loader has changed nor one in which a debugger has set
        /// a breakpoint.
        static func unmodified(inMappings text: String) -> [Range<UInt>] {
            var ranges: [Range<UInt>] = []
            var candidate: Range<UInt>?
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: " ", omittingEmptySubsequences: true)
                guard let first = fields.first else { continue }
                if !first.hasSuffix(":") {
                    candidate = readOnlyFile(fields)
                } else if first == "Anonymous:", let range = candidate, fields.dropFirst().first == "0" {
                    ranges.append(range)
                }
            }
            return ranges
        }

        /// The addresses of a mapping from the fields of its first line: addresses, permissions, offset, device, inode and
        /// path; `nil` if it is no private mapping of a file, or can be written to.
        private static func readOnlyFile(_ fields: [Substring]) -> Range<UInt>? {
            guard fields.count >= 6, fields[1].hasPrefix("r-"), fields[1].hasSuffix("p"), fields[4] != "0" else {
                return nil
            }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
#endif
