// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MetricsTestKit
import NIOCore
import Testing

@testable import OIDCBrokerOperations

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The queue on descriptors of the system that do not take everything.
struct LogQueueDescriptorTests {
    private static let long = TimeAmount.seconds(60)

    /// A line of so many bytes, its line feed included.
    private func line(_ number: Int, size: Int) -> [UInt8] {
        let begin = Array("line \(number) ".utf8)
        return begin + [UInt8](repeating: UInt8(ascii: "."), count: max(0, size - 1 - begin.count)) + [0x0A]
    }

    /// The numbers of the whole lines, and how many lines the others report as dropped.
    private func account(_ bytes: [UInt8], size: Int) -> (numbers: [Int], dropped: Int) {
        var numbers: [Int] = []
        var dropped = 0
        for line in bytes.split(separator: 0x0A) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if words[0] == "line", line.count == size - 1 { numbers.append(number) }
            if words[0] == "dropped" { dropped += number }
        }
        return (numbers, dropped)
    }

    @Test func `a pipe without a reader holds up nothing, and is written again once it has one`() throws {
        let (total, size) = (5_000, 100)
        let metrics = TestMetrics()
        let pipe = try LogPipe()
        let queue = LogQueue(
            testing: DescriptorOutput(pipe.writer, batchBytes: 4_096), lineLimit: 1_000, metrics: metrics)
        let accepted = (0..<total).count { queue.enqueue(line($0, size: size)) }
        #expect(accepted >= 1_000)
        #expect(accepted < total)
        #expect(!queue.flush(within: .milliseconds(1)))

        var bytes: [UInt8] = []
        var found = account(bytes, size: size)
        while found.numbers.count + found.dropped < total {
            let more = pipe.some(within: 60_000)
            guard !more.isEmpty else { break }
            bytes += more
            found = account(bytes, size: size)
        }
        #expect(found.numbers.count == accepted)
        #expect(found.numbers == found.numbers.sorted())
        #expect(found.dropped == total - accepted)
        #expect(metrics.droppedLines == Int64(total - accepted))
        #expect(queue.end(within: Self.long))
    }

    @Test(arguments: [100, 4_096, 10_000])
    func `a pipe that does not block loses lines, and never a part of another`(size: Int) throws {
        let total = 2_000
        let metrics = TestMetrics()
        let pipe = try LogPipe(isBlocking: false)
        let queue = LogQueue(
            testing: DescriptorOutput(pipe.writer, batchBytes: 4_096, patience: 0), metrics: metrics)
        for number in 0..<total { queue.enqueue(line(number, size: size)) }
        #expect(queue.flush(within: Self.long))
        #expect(metrics.droppedLines > 0)

        var bytes: [UInt8] = []
        func readAll() {
            while true {
                let more = pipe.some(within: 0)
                guard !more.isEmpty else { return }
                bytes += more
            }
        }
        readAll()
        queue.enqueue(line(total, size: size))
        #expect(queue.flush(within: Self.long))
        readAll()
        let found = account(bytes, size: size)
        #expect(found.numbers.last == total)
        #expect(found.numbers == found.numbers.sorted())
        #expect(found.numbers.count + found.dropped == total + 1)
        #expect(metrics.droppedLines == Int64(found.dropped))
        #expect(queue.end(within: Self.long))
    }

    @Test func `a pipe whose reader is gone does not end the process`() throws {
        let metrics = TestMetrics()
        let pipe = try LogPipe(hasReader: false)
        let queue = LogQueue(testing: DescriptorOutput(pipe.writer, batchBytes: 4_096), metrics: metrics)
        for number in 0..<3 {
            queue.enqueue(line(number, size: 100))
            #expect(queue.flush(within: Self.long))
        }
        #expect(metrics.droppedLines == 3)
        #expect(queue.end(within: Self.long))
    }

    #if os(Linux)
        @Test func `a full disk drops and counts`() throws {
            let metrics = TestMetrics()
            let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let output = DescriptorOutput(descriptor, batchBytes: 0)
            #expect(
                output.write(LineBatch([line(0, size: 100)]))
                    == LogWriteResult(written: 0, failure: LogFailure("write", ENOSPC)))
            let queue = LogQueue(testing: output, metrics: metrics)
            for number in 0..<100 { queue.enqueue(line(number, size: 100)) }
            #expect(queue.end(within: Self.long))
            #expect(metrics.droppedLines == 100)
        }
    #endif

    @Test func `lines of many threads stay whole, and those of each in their order`() throws {
        let (threads, each) = (8, 12_500)
        let folder = try LogFolder()
        let descriptor = open(folder.file("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let metrics = TestMetrics()
        let queue = LogQueue(
            testing: DescriptorOutput(descriptor, batchBytes: 4_096), lineLimit: threads * each, metrics: metrics)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<each { queue.enqueue(text: "thread \(thread) line \(number) end") }
        }
        #expect(queue.end(within: Self.long))
        #expect(metrics.droppedLines == 0)

        var next = [Int](repeating: 0, count: threads)
        var wrong = 0
        for line in try folder.text("log").utf8.split(separator: 0x0A) {
            let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 5, words[4] == "end", let thread = Int(words[1]), next.indices.contains(thread),
                Int(words[3]) == next[thread]
            else {
                wrong += 1
                continue
            }
            next[thread] += 1
        }
        #expect(wrong == 0)
        #expect(next == [Int](repeating: each, count: threads))
    }
}
