/** Registration of a distributor, its sub keys and their quota. */

import { UNUSED_ADDRESS } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../../probe-request.ts'
import {
  assertAtLeast,
  assertNoSocket,
  assertObject,
  assertRefused,
  assertSame,
  assertSuccess,
  assertText,
  bodyOf,
  dataOf,
  isJsonObject,
  isSuccess,
  type JsonObject,
  objectOf,
  retryUntilHeld,
} from '../../responses.ts'
import { changed, deleteLevel, levelOfSub, levelWith, OWN_LEVEL, putLevel } from './levels.ts'

/** Registration (the service's documentation, Distributor management; States, invite token). */
export const REGISTRATION_CASES: readonly Case[] = [
  {
    id: 'distributor.registration.public',
    title: 'registration needs no signature, and an invalid token is HTTP 400 with an error',
    checks: ['auth.register', 'error.invite', 'state.invite.consumed'],
    run: async (probe: Probe) => refusedToken(probe, await register(probe, 'no-such-token')),
  },
  {
    id: 'distributor.registration.token',
    title: 'registration without an invite_token is refused with its name',
    checks: ['operation.distributor.register.token'],
    run: async (probe: Probe) => {
      for (const body of [{}, { token: 'x' }]) {
        const path = '/distributor/register'
        const answer = await probe.request({ method: 'POST', path, body, signedIn: 'nowhere' })
        probe.assert(!isSuccess(answer) && answer.status < 500, 'it is refused', answer)
        // A name that is not known may be what is refused (an open question).
        const named = Object.keys(body).concat('invite_token')
        const isNamed = named.some((name) => answer.text.includes(name))
        probe.assert(isNamed, 'invite_token is named', answer)
      }
    },
  },
  {
    id: 'distributor.registration.once',
    title: 'an invite token makes one distributor with a key pair that works, and no second one',
    checks: [
      ...['operation.distributor.register', 'state.invite.unused', 'state.invite.consumed'],
      ...['distributor.presets', 'distributor.secretOnce', 'distributor.rule.levelsFirst'],
      ...['error.invite'],
    ],
    needs: ['invite'],
    exclusive: true,
    run: async (probe: Probe) => {
      const token = probe.target.inviteToken ?? probe.skip('no invite token was given')
      refusedToken(probe, await register(probe, 'no-such-token'))
      const first = await register(probe, token)
      const { success, message, data } = bodyOf(probe, first)
      assertSame(probe, first.status, 200, 'an unused token is answered with 200')
      assertSame(probe, success, true, 'an unused token is taken')
      assertText(probe, message, 'the answer has a message')
      assertObject(probe, data, 'the answer has data')
      for (const name of ['access_key', 'secret_key', 'name', 'level'])
        probe.assert(typeof data[name] === 'string', `${name} is text`, Object.keys(data))
      await looksFresh(probe, data)
      refusedToken(probe, await register(probe, token))
    },
  },
]

/** A fresh distributor: preset values, without sub keys, levels or usage. */
async function looksFresh(probe: Probe, made: JsonObject): Promise<void> {
  const key = { accessKey: String(made.access_key), secretKey: String(made.secret_key) }
  const info = await objectOf(probe, { path: '/distributor/info', signedBy: key })
  for (const name of ['access_key', 'name', 'level'])
    assertSame(probe, info[name], made[name], `${name} is that of the registration`)
  probe.assert(!('secret_key' in info), 'the secret is not shown again', Object.keys(info))
  assertSame(probe, info.sub_key_count, 0, 'it has no sub keys')
  const quota = await objectOf(probe, { path: '/distributor/quota', signedBy: key })
  const isUnused = quota.used_quota === 0 && quota.allocated_quota === 0
  probe.assert(isUnused, 'nothing of its quota is used or allocated', quota)
  assertSame(probe, quota.max_total_quota, info.max_total_quota, 'its ceiling is preset')
  const levels = await dataOf(probe, { path: '/distributor/levels', signedBy: key })
  probe.assert(Array.isArray(levels) && levels.length === 0, 'it has no levels yet', levels)
}

const register = (probe: Probe, invite_token: string) =>
  probe.request({
    method: 'POST',
    path: '/distributor/register',
    signedIn: 'nowhere',
    body: { invite_token },
  })

function refusedToken(probe: Probe, answer: ProbeExchange): void {
  const { success, error } = bodyOf(probe, answer)
  assertSame(probe, answer.status, 400, 'the token is refused with HTTP 400')
  const isReported = success === false && typeof error === 'string' && error !== ''
  probe.assert(isReported, 'success is false and error is text', answer)
}

/**
 * Permissions of sub keys by their level, from one request to the next (the service's
 * documentation, rules 2 to 5; Limits).
 */
export const SUB_KEY_CASES: readonly Case[] = [
  {
    id: 'distributor.sub-keys.permissions',
    title: 'sub keys have the new permissions of their level at once, and no others',
    checks: ['state.level.permissions', 'distributor.rule.oneAction', 'version.newActions'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: async (probe: Probe) => {
      await changed(probe, await levelOfSub(probe), async (put) => {
        for (const [granted, path] of Object.entries(PATHS)) {
          await put(levelWith([granted]))
          for (const [action, other] of Object.entries(PATHS)) {
            const answer = await ask(probe, { path: other })
            if (other === path) assertSuccess(probe, answer, `${granted} opens ${path}`)
            else denied(probe, answer, action)
          }
        }
      })
    },
  },
  {
    id: 'distributor.sub-keys.info',
    title: 'HL_INFO opens every type of POST /info, and reserved actions open none',
    checks: ['action.infoIsOne', 'action.reserved'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: async (probe: Probe) => {
      const types = [
        ...[
          { type: 'meta' },
          { type: 'spotMeta' },
          { type: 'clearinghouseState', user: UNUSED_ADDRESS },
        ],
        { type: 'userFills', user: UNUSED_ADDRESS },
      ]
      const info = (body: unknown) => ask(probe, { method: 'POST', path: '/hl/info', body })
      await changed(probe, await levelOfSub(probe), async (put) => {
        await put(levelWith(['HL_INFO']))
        for (const body of types)
          assertSuccess(probe, await info(body), `HL_INFO opens the type ${body.type}`)
        const reserved = ['META', 'SPOT_META', 'CLEARINGHOUSE_STATE', 'USER_FILLS']
        await put(levelWith(reserved.map((name) => `HL_INFO_${name}`)))
        for (const body of types) denied(probe, await info(body), 'HL_INFO')
      })
    },
  },
  {
    id: 'distributor.sub-keys.sockets',
    title: 'each socket path requires its own action',
    checks: ['distributor.rule.oneAction', 'auth.permission'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: async (probe: Probe) => {
      await changed(probe, await levelOfSub(probe), async (put) => {
        for (const [granted, path] of Object.entries(SOCKETS)) {
          await put(levelWith([granted]))
          for (const [action, other] of Object.entries(SOCKETS)) {
            const opened = await probe.tryConnect({ path: other, signedBy: 'sub' })
            if (other === path)
              probe.assert(!('status' in opened), `${granted} opens ${path}`, {
                expected: 'a socket',
                found: 'status' in opened && opened.status,
              })
            else {
              assertNoSocket(probe, opened, `without ${action} ${other} opens no socket`)
              denied(probe, opened, action)
            }
          }
        }
      })
    },
  },
  {
    id: 'distributor.sub-keys.rate',
    title: 'a sub key that calls more often in a minute than its level allows is refused',
    checks: ['limit.level.rate'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: async (probe: Probe) => {
      await changed(probe, await levelOfSub(probe), async (put) => {
        await put(levelWith(['HL_TICKERS'], { request_rate_limit: 3 }))
        const answers: ProbeExchange[] = []
        // A minute may end in between: of eight calls at least two exceed the limit of three.
        for (let calls = 0; calls < 8; calls++)
          answers.push(await ask(probe, { ...TICKERS, allowRateLimit: true, atOnce: true }))
        const refused = answers.filter((answer) => !isSuccess(answer))
        assertAtLeast(probe, refused.length, 2, 'at most three of a minute are answered')
        const denial = refused.find((answer) => bodyOf(probe, answer).msg === DENIED)
        probe.assert(!denial, 'it is no missing permission', denial)
      })
      assertSuccess(probe, await ask(probe, TICKERS), 'with the old limit it may call again')
    },
  },
  {
    id: 'distributor.sub-keys.time-range',
    title: 'a sub key gets no longer span of time than its level allows',
    checks: ['limit.level.timeRange'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: async (probe: Probe) => {
      const path = '/hl/klines-with-taker-vol/BTC/15m'
      const all = await probe.request({ path, query: { limit: 20 } })
      const times = timesIn(all)
      const [startTime = 0, endTime = 0] = [times[0], times.at(-1)]
      if (times.length < 10) probe.skip('there are too few candles')
      await changed(probe, await levelOfSub(probe), async (put) => {
        await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3600 }))
        const short = await ask(probe, { path, query: { startTime: endTime - 1_800_000, endTime } })
        assertSuccess(probe, short, 'half an hour is answered')
        const long = await ask(probe, { path, query: { startTime, endTime } })
        probe.assert(isShort(long), 'more than an hour is refused or cut')
        const rows = await ask(probe, { path, query: { limit: 20 } })
        probe.assert(isShort(rows), 'also where it is requested by a number of candles')
      })
    },
  },
]

const TICKERS = { path: '/hl/tickers' }
const DENIED = 'Permission denied: HL_TICKERS'

const PATHS = {
  HL_TICKERS: '/hl/tickers',
  HL_WHALES_DIRECTIONS: '/hl/whales/directions',
  HL_ACTIVE_STATS: '/hl/orders/active-stats',
}

const SOCKETS = {
  HL_WS_NODE: '/hl/ws',
  HL_WS_FILLS: '/hl/ws/fills',
  HL_WS_FILLED_ORDERS: '/hl/ws/filled-orders',
  HL_WS_CLEARINGHOUSE_STATE: '/hl/ws/clearinghouse-state',
}

const ask = (probe: Probe, request: ProbeRequest) => probe.request({ ...request, signedBy: 'sub' })

function denied(probe: Probe, answer: ProbeExchange, action: string): void {
  if (answer.status === 403) assertRefused(probe, answer, '403', `${action} is refused with 403`)
  const msg = isJsonObject(answer.json) ? answer.json.msg : undefined
  const isDenied = answer.status === 403 && msg === `Permission denied: ${action}`
  probe.assert(isDenied, `without ${action} it is HTTP 403 "Permission denied: ${action}"`, answer)
}

/** Whether it is refused, or its candles cover one hour. */
function isShort(answer: ProbeExchange): boolean {
  const times = timesIn(answer)
  return !isSuccess(answer) || (times.at(-1) ?? 0) - (times[0] ?? 0) <= 3_600_000
}

function timesIn({ json }: ProbeExchange): number[] {
  const rows = isJsonObject(json) && Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
  return rows.map(({ openTime }) => Number(openTime))
}

/** Arithmetic of a distributor's month (the service's documentation, Quota summary; Limits). */
export const QUOTA_CASES: readonly Case[] = [
  {
    id: 'distributor.quota.sums',
    title: 'available is the ceiling less what is allocated, remaining less what is used',
    checks: [
      ...['quota.available', 'quota.remaining', 'quota.ceiling', 'limit.totalQuota'],
      ...['distributor.subKeyCount', 'limit.subKeys'],
    ],
    needs: ['partner'],
    run: async (probe: Probe) => {
      const info = await objectOf(probe, { path: '/distributor/info', signedBy: 'partner' })
      const quota = await quotaOf(probe)
      const { max, allocated, available, used, remaining } = quota
      probe.assert(max === Number(info.max_total_quota), 'both have the same ceiling', info)
      probe.assert(available === max - allocated, 'available is max less allocated', quota)
      probe.assert(remaining === Math.max(max - used, 0), 'remaining is max less used', quota)
      probe.assert(allocated <= max, 'no more is allocated than there is', quota)
      const [count, most] = [Number(info.sub_key_count), Number(info.max_sub_keys)]
      probe.assert(count <= most, 'there are no more sub keys than there may be', info)
    },
  },
  {
    id: 'distributor.quota.used',
    title: 'used and remaining follow the requests of sub keys, to the request',
    checks: ['quota.used', 'quota.remaining'],
    needs: ['partner', 'sub'],
    exclusive: true,
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const before = await quotaOf(probe)
        for (let calls = 0; calls < CALLS; calls++) {
          const answer = await probe.request({ path: '/hl/tickers', signedBy: 'sub' })
          assertSuccess(probe, answer, 'the sub key may call')
        }
        // The distributor's own calls are not counted.
        await quotaOf(probe)
        const after = await quotaOf(probe)
        const isRight =
          after.used - before.used === CALLS && before.remaining - after.remaining === CALLS
        return isRight ? null : `${CALLS} requests of a sub key count as ${CALLS}`
      }),
  },
  {
    id: 'distributor.quota.level',
    title: 'max_request of a level is the monthly limit of a new sub key',
    checks: ['limit.level.quota', 'limit.totalQuota'],
    needs: ['partner', 'control'],
    exclusive: true,
    run: async (probe: Probe) => {
      const { subKey } = probe.target.control ?? {}
      if (!subKey) probe.skip('no sub key can be made')
      const before = await quotaOf(probe)
      const level = levelWith(['HL_TICKERS'], { max_request: CALLS })
      assertSuccess(probe, await putLevel(probe, OWN_LEVEL, level), 'a level is made')
      try {
        const { key, remove } = await subKey(OWN_LEVEL)
        try {
          const { allocated } = await quotaOf(probe)
          probe.assert(allocated === before.allocated + CALLS, 'its quota is allocated', allocated)
          const answers: boolean[] = []
          for (let calls = 0; calls < CALLS + 2; calls++)
            answers.push(
              isSuccess(
                await probe.request({ path: '/hl/tickers', signedBy: key, allowRateLimit: true }),
              ),
            )
          const right = answers.every((answer, at) => answer === at < CALLS)
          probe.assert(right, `${CALLS} requests are answered, and no more`, answers)
        } finally {
          await remove()
        }
      } finally {
        await deleteLevel(probe, OWN_LEVEL)
      }
    },
  },
]

const CALLS = 3

async function quotaOf(probe: Probe) {
  const row: JsonObject = await objectOf(probe, { path: '/distributor/quota', signedBy: 'partner' })
  const of = (name: string) => {
    probe.assert(Number.isSafeInteger(row[name]), `${name} is a whole number`, row)
    return row[name] as number
  }
  return {
    max: of('max_total_quota'),
    allocated: of('allocated_quota'),
    available: of('available_quota'),
    used: of('used_quota'),
    remaining: of('remaining_quota'),
  }
}
