import { type Static, Type } from '../schema.ts'

const fields = {
  access_key: Type.String(),
  name: Type.String({ description: 'name of its user' }),
  level: Type.String(),
  monthly_quota: Type.Integer({ description: 'requests a month' }),
  used_quota: Type.Integer({ description: 'requests of this month' }),
  status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
  created_at: Type.Integer({ description: 'creation time, session time, s' }),
}

/** A sub key without its secret: a form of our own, as the service shows none. */
export const SubKey = Type.Object(fields, { title: 'SubKey', additionalProperties: false })
export type SubKey = Static<typeof SubKey>

/** A new sub key, the only form with the secret. */
export const NewSubKey = Type.Object(
  { ...fields, secret_key: Type.String({ description: 'shown once' }) },
  { title: 'NewSubKey', additionalProperties: false },
)
export type NewSubKey = Static<typeof NewSubKey>

export const SubKeyPath = Type.Object(
  {
    access_key: Type.String({ description: 'access key of the sub key' }),
  },
  { title: 'SubKeyPath' },
)

export const Quota = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'requests a month; that of the level by default',
})

/** A distributor's own record (the service's documentation, Distributor). */
export const DistributorInfo = Type.Object(
  {
    access_key: Type.String({ description: 'primary access key' }),
    name: Type.String({ description: 'preset by the invite token' }),
    level: Type.String({ description: "the distributor's own level" }),
    max_sub_keys: Type.Integer({ description: 'maximum number of sub keys' }),
    sub_key_count: Type.Integer({ description: 'number of sub keys' }),
    max_total_quota: Type.Integer({ description: 'requests a month, summed over all sub keys' }),
  },
  { title: 'DistributorInfo', additionalProperties: false },
)
export type DistributorInfo = Static<typeof DistributorInfo>

/** The answer of a registration, the only one with the secret. */
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
        'longest time range of a request, s: between two instants, back from now, or a number of ' +
        'rows times their interval',
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

/** The level name in a path. */
export const LevelName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w.-]+$',
  'x-form': 'letters, digits, `_`, `.` and `-`',
  description: 'name of the level: letters, digits, `_`, `.` and `-`',
})
