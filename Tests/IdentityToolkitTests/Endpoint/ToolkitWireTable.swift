// SPDX-License-Identifier: Apache-2.0

import JOSE

@testable import IdentityToolkit

/// The wire: a row for each operation, error and spelling of a client, against a whole broker. What is about parsing
/// alone is in the tests of each request.
enum ToolkitWireTable {
    typealias Row = ToolkitWireRow
    typealias Client = ToolkitWireClient
    typealias Scene = ToolkitWireScene

    static let rows: [Row] = [
        signIns, nonces, names, oddNames, links, conflicts, confirmations, otherConflicts, pendingCredentials,
        refusedRequests, refusedCredentials, otherCredentials, strangers, refusedSignIns, refusedLinks,
        lookups, deletions, deadSessions, addresses, projects,
        updates, scripts, cleared, unlinks, refusedUpdates, refusedOfOperators, refusedValues,
        refreshes, refusedRefreshes, refusedSessions, revocations, refusedRevocations, unsupported,
        keys, otherQueries, spellings, duplicates, duplicatePairs,
        unreadableBodies, undecodableBodies, emptyBodies, wrongTypes,
        limitsOfBodies, limitsOfSignIns, limitsOfPendingCredentials, limitsOfTokens, limitsOfProfiles,
        tooMany, tooManyRefreshes, failuresOfStore, failuresOfProviders,
    ].flatMap { $0 }

    private static let onlyOfOperators = "Only an operator's request gets it; `AdminOperationTests` has those."

    /// The codes that no request of an app gets, with the reason.
    static let unreachable: [ToolkitError.Code: String] = [
        .blockingFunctionErrorResponse: "Nothing is asked here before an account is made.",
        .userNotFound: "The sessions of an account go with it, so that a session without its account has ended.",
        .unauthenticated: onlyOfOperators, .forbiddenClaim: onlyOfOperators, .duplicateLocalID: onlyOfOperators,
        .invalidDuration: onlyOfOperators, .missingLocalID: onlyOfOperators, .invalidClaims: onlyOfOperators,
        .claimsTooLarge: onlyOfOperators,
    ]

    /// An access token that is long enough to be found again.
    static let accessToken = "ya29.a0AfB-access-token-of-ada-at-the-provider_0123456789"
}
