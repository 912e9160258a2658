// SPDX-License-Identifier: Apache-2.0

#ifndef CLIBPQ_SHIM_H
#define CLIBPQ_SHIM_H

// Only what imports the module reads this file, so nothing is needed without the trait PostgreSQL.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#endif
