import { type Static, Type } from '../schema.ts'

/** A distributor as it sees itself (the service's documentation, Distributor). */
export const DistributorInfo = Type.Object(
  {
    access_key: Type.String({ description: 'primary access key' }),
    name: Type.String({ description: 'preset by the invite token' }),
    level: Type.String({ description: "the distributor's own level" }),
    max_sub_keys: Type.Integer({ description: 'how many sub keys at most' }),
    sub_key_count: Type.Integer({ description: 'how many there are' }),
    max_total_quota: Type.Integer({ description: 'requests a month, summed over all sub keys' }),
  },
  { title: 'DistributorInfo', additionalProperties: false },
)
export type DistributorInfo = Static<typeof DistributorInfo>

/** What registration answers; the secret is shown here only. */
export const Registration = Type.Object(
  {
    access_key: Type.String({ description: 'primary access key' }),
    secret_key: Type.String({ description: 'shown once' }),
    name: Type.String(),
    level: Type.String(),
  },
  { title: 'Registration', additionalProperties: false },
)
export type Registration = Static<typeof Registration>

/** Requests of a month (the service's documentation, Quota summary). */
export const QuotaSummary = Type.Object(
  {
    max_total_quota: Type.Integer({ description: 'contracted ceiling a month' }),
    allocated_quota: Type.Integer({ description: 'sum of the quotas of all sub keys' }),
    available_quota: Type.Integer({ description: 'max_total_quota - allocated_quota' }),
    used_quota: Type.Integer({ description: 'requests of this month by all sub keys' }),
    remaining_quota: Type.Integer({ description: 'max(max_total_quota - used_quota, 0)' }),
  },
  { title: 'QuotaSummary', additionalProperties: false },
)
export type QuotaSummary = Static<typeof QuotaSummary>

const MOST = 1_000_000_000

export const RequestLimits = Type.Object(
  {
    max_time_range: Type.Integer({
      minimum: 1,
      maximum: MOST,
      description:
        'longest span of time that may be asked for, s: between two instants, so far back, or so ' +
        'many rows of an interval each',
    }),
    max_request: Type.Integer({
      minimum: 0,
      maximum: MOST,
      description: 'default quota of a sub key, requests a month',
    }),
    request_rate_limit: Type.Integer({
      minimum: 1,
      maximum: MOST,
      description: 'requests a minute',
    }),
  },
  { title: 'RequestLimits', additionalProperties: false },
)
export type RequestLimits = Static<typeof RequestLimits>

const Grant = Type.Object(
  {
    resource_type: Type.String({ description: 'must be perpdex' }),
    actions: Type.Array(Type.String(), { description: 'names of the action map' }),
  },
  { title: 'PermissionGrant', additionalProperties: false },
)

/**
 * Quota template and permissions of the sub keys of a level (the service's documentation, Level
 * config).
 */
export const LevelConfig = Type.Object(
  { request_limits: RequestLimits, permissions: Type.Array(Grant) },
  { title: 'LevelConfig', additionalProperties: false },
)
export type LevelConfig = Static<typeof LevelConfig>

/** The level that a path names. */
export const LevelName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w.-]+$',
  'x-form': 'letters, digits, `_`, `.` and `-`',
  description: 'name of the level: letters, digits, `_`, `.` and `-`',
})
