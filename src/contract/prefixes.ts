/** The path prefix `P`; older prefixes that real clients still use come after it. */
export const PREFIXES = ['/api/upgrade/v2', '/api/v2', '/v2'] as const
