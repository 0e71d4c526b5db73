/** The path prefixes; older ones that real clients still use come after the documented one. */
export const PREFIXES = ['/api/upgrade/v2', '/api/v2', '/v2'] as const
