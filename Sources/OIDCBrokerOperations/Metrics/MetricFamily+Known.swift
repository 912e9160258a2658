// SPDX-License-Identifier: Apache-2.0

/// Every family that this package's server has: the one table behind the help texts of `/metrics` and the documentation.
extension MetricFamily {
    /// The known families, by what they are about.
    package static let known: [MetricFamily] =
        signIns + apps + limits + sharedStore + providers + operation + process

    /// Returns what is known about a family; `nil` for one that another library makes.
    static func family(named name: String) -> MetricFamily? { byName[name] }

    private static let byName = Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    private static let signIns = [
        MetricFamily("auth_starts", .counter, "Authorization requests of apps, by app, provider and outcome."),
        MetricFamily("auth_logins", .counter, "Logins that an embedding server began in process, by app and outcome."),
        MetricFamily("auth_callbacks", .counter, "Callbacks of providers, by provider and outcome."),
        MetricFamily("auth_callbacks_in_progress", .gauge, "Callbacks that are waiting for a provider, by provider."),
        MetricFamily("auth_callback_duration_seconds", .histogram, "Time from a callback to its response."),
        MetricFamily(
            "auth_provider_request_duration_seconds", .histogram,
            "Time of a request to a provider, by provider and step."),
    ]

    private static let apps = [
        MetricFamily("auth_redemptions", .counter, "Codes that apps redeemed, by app and outcome."),
        MetricFamily("auth_redemption_duration_seconds", .histogram, "Time from a redemption to its response."),
        MetricFamily("auth_user_info", .counter, "UserInfo requests of apps, by outcome."),
        MetricFamily("auth_credentials", .counter, "Native credentials of apps, by provider and outcome."),
        MetricFamily("auth_revocations", .counter, "Revocations of tokens, by provider and outcome."),
        MetricFamily("auth_logouts", .counter, "Logouts, by outcome."),
        MetricFamily("auth_account_operations", .counter, "Operations on accounts, by operation and outcome."),
        MetricFamily("auth_account_events", .counter, "Account events, by outcome."),
        MetricFamily("auth_account_events_waiting", .gauge, "Account events that wait to be delivered."),
        MetricFamily(
            "auth_account_events_oldest_seconds", .gauge,
            "Age of the oldest account event that waits; 0 if none."),
        MetricFamily("auth_account_events_given_up", .gauge, "Account events that were given up and are kept."),
        MetricFamily("auth_logout_tokens", .counter, "Logout tokens for apps, by outcome."),
        MetricFamily("auth_notifications", .counter, "Notifications of providers, by provider and outcome."),
    ]

    private static let limits = [
        MetricFamily("auth_limits", .counter, "Requests, bodies and connections that met a limit, by limit."),
        MetricFamily("auth_connections", .gauge, "Open connections, by HTTP version."),
        MetricFamily("auth_memory_bytes", .gauge, "Memory that clients hold, by what it is for."),
        MetricFamily("auth_memory_limit_bytes", .gauge, "Maximum memory for all clients, by what it is for."),
        MetricFamily("auth_memory_share_bytes", .gauge, "Maximum memory for one client, by what it is for."),
        MetricFamily("auth_memory_refused", .counter, "How often memory was refused, by what it is for."),
        MetricFamily("auth_memory_maximum_bytes", .gauge, "Memory that clients may hold (server.memory-bytes)."),
        MetricFamily("auth_connections_refused", .counter, "Connections that were closed at once, by reason."),
        MetricFamily("auth_forwarded_unreadable", .counter, "Forwarding fields of proxies that could not be read."),
        MetricFamily("auth_store_entries", .gauge, "Entries of the store in memory, by store and part."),
        MetricFamily("auth_store_bytes", .gauge, "Memory of the entries of the store, by store and part."),
        MetricFamily(
            "auth_store_fullness_ratio", .gauge, "Part of the store's capacity in use, by store and part; 1 is full."),
        MetricFamily("auth_database_up", .gauge, "Whether the database of accounts answers; 1 if so."),
        MetricFamily("auth_database_waiting", .gauge, "Transactions on accounts that wait, by mode."),
        MetricFamily("auth_database_errors", .counter, "Transactions on accounts that failed, by reason."),
    ]

    private static let sharedStore = [
        MetricFamily("auth_store_up", .gauge, "Whether the store that replicas share answers; 1 if so."),
        MetricFamily("auth_store_waiting", .gauge, "Operations that wait for the shared store."),
        MetricFamily(
            "auth_store_clock_offset_seconds", .gauge,
            "The clock of the shared store minus that of this process, at the last connection."),
        MetricFamily("auth_store_operations", .counter, "Operations of the shared store, by operation and outcome."),
        MetricFamily("auth_store_retries", .counter, "Retries of operations of the shared store, by operation."),
        MetricFamily(
            "auth_store_unconfirmed", .counter,
            "Operations of the shared store that its standbys did not confirm, by operation."),
        MetricFamily(
            "auth_store_operation_duration_seconds", .histogram,
            "Time of an operation of the shared store with all its tries, by operation."),
    ]

    private static let providers = [
        MetricFamily("auth_metadata_age_seconds", .gauge, "Time since a provider's metadata was fetched."),
        MetricFamily("auth_key_set_age_seconds", .gauge, "Time since a provider's keys were fetched."),
        MetricFamily(
            "auth_open_circuits", .gauge, "Whether requests to a provider are held back, by circuit; 1 if so."),
        MetricFamily(
            "auth_provider_failing_seconds", .gauge, "Time for which a provider has been failing; 0 while it is not."),
        MetricFamily("auth_expired_key_sets", .counter, "Failed fetches after which expired keys stayed in use."),
        MetricFamily("auth_published_private_keys", .counter, "Private keys in the key set of a provider."),
        MetricFamily(
            "auth_apple_client_secret_usable", .gauge, "Whether Apple accepts the client secrets of a client; 1 if so."),
        MetricFamily(
            "auth_certificate_remaining_seconds", .gauge, "Time until a certificate ends; negative after it."),
        MetricFamily(
            "auth_client_secret_remaining_seconds", .gauge,
            "Time until a client secret ends, as the configuration says; negative after it."),
    ]

    private static let operation = [
        MetricFamily("auth_reloads", .counter, "Changed configurations that were read, by outcome."),
        MetricFamily("auth_configuration_valid", .gauge, "Whether the configuration that was read last is valid."),
        MetricFamily(
            "auth_configuration_restart_needed", .gauge,
            "Whether the configuration needs a restart to be in use as a whole."
        ),
        MetricFamily(
            "auth_configuration_info", .gauge,
            "The configuration in use, by a hash that reveals no secret; always 1."),
        MetricFamily("auth_log_lines_dropped", .counter, "Lines that were not written because the queue was full."),
        MetricFamily("auth_audit_writes_failed", .counter, "Events of the audit that could not be written."),
        MetricFamily("auth_metrics_series_dropped", .counter, "Series that were not made because of a limit."),
        MetricFamily("auth_build_info", .gauge, "The version of this program; always 1."),
    ]

    private static let process = [
        MetricFamily("process_cpu_seconds", .counter, "CPU time that the process has used."),
        MetricFamily("process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM."),
        MetricFamily("process_virtual_memory_bytes", .gauge, "Address space of the process."),
        MetricFamily("process_open_fds", .gauge, "Open file descriptors."),
        MetricFamily("process_max_fds", .gauge, "Maximum number of open file descriptors."),
        MetricFamily("process_threads", .gauge, "Threads of the process."),
        MetricFamily("process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970."),
    ]
}
