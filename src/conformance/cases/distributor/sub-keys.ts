import { assertAtLeast, assertNoSocket, assertSuccess } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../../probe-request.ts'
import { bodyOf, isSuccess } from '../../response-reading.ts'
import { UNUSED_ADDRESS } from '../../target-lookups.ts'
import { changed, levelOfSub, levelWith } from './level-requests.ts'

/**
 * What a level grants its sub keys, from one request to the next (the service's documentation,
 * rules 2 to 5; Limits).
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
    title: 'each socket path asks for its own action',
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
        // A minute may end in between: of eight calls at least two fall over the limit of three.
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
        probe.assert(isShort(rows), 'also where it is asked for as so many candles')
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
  const msg = isJsonObject(answer.json) ? answer.json.msg : undefined
  const isDenied = answer.status === 403 && msg === `Permission denied: ${action}`
  probe.assert(isDenied, `without ${action} it is HTTP 403 "Permission denied: ${action}"`, answer)
}

/** Whether it is refused, or its candles are those of an hour. */
function isShort(answer: ProbeExchange): boolean {
  const times = timesIn(answer)
  return !isSuccess(answer) || (times.at(-1) ?? 0) - (times[0] ?? 0) <= 3_600_000
}

function timesIn({ json }: ProbeExchange): number[] {
  const rows = isJsonObject(json) && Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
  return rows.map(({ openTime }) => Number(openTime))
}
