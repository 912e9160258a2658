// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A number of sign-ins, some at a time, each in a browser of its own (closed loop).
struct SignInLoad: Sendable {
    let target: MeasuredBroker
    let count: Int
    let concurrency: Int

    /// What went wrong with a sign-in; it is counted, not measured.
    struct Failure: Error {
        let step: String
    }

    /// RFC 7636 appendix B: the verifier and its challenge.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    func run() async throws -> LatencyReport {
        guard count > 0 else { return LatencyReport(samples: [], failures: 0) }
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = concurrency
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let results = await withTaskGroup(of: [LatencyReport.Sample?].self) { group in
            for user in 0..<concurrency {
                let share = count / concurrency + (user < count % concurrency ? 1 : 0)
                group.addTask {
                    var samples: [LatencyReport.Sample?] = []
                    for _ in 0..<share { samples.append(try? await signIn(client)) }
                    return samples
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        try await client.shutdown()
        return LatencyReport(samples: results.compactMap { $0 }, failures: results.count { $0 == nil })
    }

    private func signIn(_ client: HTTPClient) async throws -> LatencyReport.Sample {
        let query =
            "client_id=\(MeasuredBroker.clientID)&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback"
            + "&response_type=code&scope=openid&state=s&nonce=n&code_challenge=\(Self.challenge)"
            + "&code_challenge_method=S256"
        let begun = ContinuousClock.now
        let start = try await get(client, target.origin + "/__/auth/authorize?" + query)
        let started = ContinuousClock.now
        guard let provider = start.location, let cookie = start.cookie else { throw Failure(step: "start") }
        guard let handler = try await get(client, provider).location else { throw Failure(step: "provider") }
        let returning = ContinuousClock.now
        let callback = try await get(client, handler, cookie: cookie)
        let returned = ContinuousClock.now
        guard let location = callback.location, location.hasPrefix(MeasuredBroker.redirectURI + "?"),
            let code = Self.parameter("code", of: location), Self.parameter("state", of: location) == "s"
        else { throw Failure(step: "callback") }
        try await redeem(client, code)
        let redeemed = ContinuousClock.now
        return LatencyReport.Sample(
            start: nanoseconds(started - begun), callback: nanoseconds(returned - returning),
            redeem: nanoseconds(redeemed - returned))
    }

    private func get(
        _ client: HTTPClient, _ url: String, cookie: String? = nil
    ) async throws -> (location: String?, cookie: String?) {
        var request = HTTPClientRequest(url: url)
        if let cookie { request.headers.add(name: "cookie", value: cookie) }
        let response = try await client.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .seeOther || response.status == .found else { return (nil, nil) }
        let set = response.headers.first(name: "set-cookie")
        return (response.headers.first(name: "location"), set.map { String($0.prefix { $0 != ";" }) })
    }

    private func redeem(_ client: HTTPClient, _ code: String) async throws {
        var request = HTTPClientRequest(url: target.origin + "/__/auth/token")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(
            ByteBuffer(
                string: "grant_type=authorization_code&client_id=\(MeasuredBroker.clientID)&code=\(code)"
                    + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&code_verifier=\(Self.verifier)"))
        let response = try await client.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok else { throw Failure(step: "redeem") }
    }

    private static func parameter(_ name: String, of url: String) -> String? {
        url.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    private func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
