/** A refusal that a rule gives, in the words that it would have for what was asked. */
import type { Access } from '../contract/access.ts'
import type { Refusal, RefusalName } from '../contract/refusal.ts'
import type { TObject, TSchema } from '../contract/schema.ts'
import { permissionNameOf } from './authorization.ts'
import type { Sandbox } from './sandbox.ts'
import type { RefusalByRule } from './scenario/fault.ts'

/** What was asked: an operation, or a channel of a socket. */
interface AskedEndpoint {
  id: string
  access: Access
  method?: string
  params?: { path?: TObject; query?: TObject; body?: TSchema }
}

/** @param accessKey of whoever asked, as it was sent */
export function refusalByRule(
  sandbox: Sandbox,
  { as, subject }: RefusalByRule,
  endpoint: AskedEndpoint,
  accessKey: string | undefined,
): Refusal {
  const about = (SUBJECTS[as]?.(endpoint) ?? limitOf(sandbox, as, accessKey)) as Subject
  const [first] = Object.keys(about)
  if (subject === undefined || first === undefined) return { refused: as, ...about } as Refusal
  const own = typeof about[first] === 'number' ? Number(subject) : subject
  return { refused: as, ...about, [first]: own } as Refusal
}

type Subject = Record<string, unknown>

const SUBJECTS: Partial<Record<RefusalName, (endpoint: AskedEndpoint) => Subject>> = {
  permission: (endpoint) => ({ name: permissionNameOf(endpoint) }),
  missing: (endpoint) => ({ parameter: parameterOf(endpoint) }),
  invalid: (endpoint) => ({ parameter: parameterOf(endpoint), expected: 'something else' }),
  body: () => ({ expected: 'a JSON object' }),
  symbol: () => ({ symbol: 'nothing' }),
  infoType: () => ({ type: 'nothing' }),
  action: () => ({ name: 'NOTHING' }),
  level: () => ({ name: 'nothing' }),
  levelCount: () => ({ why: 'not today' }),
  subKey: () => ({ why: 'not today' }),
  subKeyAbsent: () => ({ name: 'nothing' }),
  quota: () => ({ retryAfterS: 3600 }),
  method: ({ method = 'GET' }) => ({ allowed: [method === 'GET' ? 'POST' : 'GET'] }),
  tooLarge: () => ({ maxBytes: 1 }),
}

/** The first parameter that it has; one that most have when it has none. */
function parameterOf({ params = {} }: AskedEndpoint): string {
  const { path, query, body } = params
  const all = [path, query, body].flatMap((one) => Object.keys(one?.properties ?? {}))
  return all[0] ?? 'coin'
}

/** The limit of the key; where it has none, what it has asked so far is too much. */
function limitOf(sandbox: Sandbox, as: RefusalName, accessKey = ''): Subject {
  const key = sandbox.keyOf(accessKey)
  const limits = key && sandbox.limitsOf(key)
  if (as === 'timeRange') return { maxS: limits?.maxTimeRangeS ?? 60 }
  if (as === 'connections') return { most: limits?.maxConnections ?? 1 }
  if (as !== 'rate') return {}
  const asked = key && sandbox.tenancy.usage.inMinute(accessKey, sandbox.clock.nowMs())
  return { perMinute: limits?.ratePerMinute ?? Math.max(1, asked ?? 1), retryAfterS: 30 }
}
