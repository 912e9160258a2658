// SPDX-License-Identifier: Apache-2.0

/// Runs a body, and then what must come in any case, such as a shutdown.
///
/// - Throws: The error of the body; if there is none, that of what comes after it.
package func attempt<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value,
    finally end: () async throws -> Void
) async throws -> Value {
    let value: Value
    do {
        value = try await body()
    } catch {
        try? await end()
        throw error
    }
    try await end()
    return value
}
