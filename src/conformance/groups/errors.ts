/** Refusals. */

import {
  someClosedPosition,
  someCoin,
  someOpenPosition,
  someOrders,
  somePair,
  UNUSED_ADDRESS,
} from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import type { Observers } from '../requirement.ts'
import { type Requirement, requirementsOfSection } from '../requirement.ts'
import {
  assertAtMost,
  assertList,
  assertNoSocket,
  assertRefused,
  assertSame,
  assertSuccess,
  bodyOf,
  dataOf,
  isJsonObject,
  objectOf,
} from '../responses.ts'

/** Refusals, and requests that are not refused (the service's documentation, Errors). */
export const ERROR_CASES: readonly Case[] = [
  {
    id: 'errors.missing',
    title: 'a missing parameter is code "400" with a msg that names it and null data',
    checks: ['error.missing', 'depth.dbKey'],
    run: async (probe: Probe) => {
      for (const [path, name] of Object.entries(NEEDED)) {
        const answer = await probe.request({ path })
        assertRefused(probe, answer, '400', `${path} without ${name} is refused with "400"`)
        const { msg } = bodyOf(probe, answer)
        probe.assert(String(msg).includes(name), `the msg of ${path} names ${name}`, {
          expected: `… ${name} …`,
          found: msg ?? null,
        })
      }
    },
  },
  {
    id: 'errors.permission',
    title: 'a missing permission is HTTP 403 and code "403" with the name of the permission',
    checks: ['error.permission', 'auth.permission', 'distributor.rule.oneAction'],
    needs: ['bare'],
    run: async (probe: Probe) => {
      for (const [path, name] of Object.entries(GUARDED)) {
        const answer = await probe.request({ path, signedBy: 'bare' })
        assertSame(probe, answer.status, 403, `${path} is refused with HTTP 403`)
        assertRefused(probe, answer, '403', `${path} has code "403" and null data`)
        const { msg } = bodyOf(probe, answer)
        assertSame(probe, msg, `Permission denied: ${name}`, `the msg of ${path} names ${name}`)
      }
    },
  },
  {
    id: 'errors.nothing-granted',
    title: 'a key whose level grants nothing reaches no data, over HTTP or a socket',
    checks: ['distributor.rule.nothingGranted', 'auth.permission'],
    needs: ['bare'],
    run: async (probe: Probe) => {
      for (const path of [...Object.keys(GUARDED), '/coin', '/crypto_stock/quotes', '/mix/nav']) {
        const answer = await probe.request({ path, signedBy: 'bare' })
        assertSame(probe, answer.status, 403, `${path} is refused with HTTP 403`)
      }
      for (const path of ['/hl/ws', '/hl/ws/fills', '/hl/ws/filled-orders']) {
        const opened = await probe.tryConnect({ path, signedBy: 'bare' })
        assertNoSocket(probe, opened, `${path} is refused with HTTP 403`, 403)
      }
    },
  },
  {
    id: 'errors.position',
    title: 'PnL and executions of an unknown completed position are HTTP 400',
    checks: ['error.position'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const account = `/hl/traders/${UNUSED_ADDRESS}`
      for (const kind of ['pnl', 'executions']) {
        const path = `${account}/completed-position-${kind}/${encodeURIComponent(coin)}`
        const answer = await probe.request({
          path,
          query: { interval: '1h', startTime: 1000, endTime: 2000 },
        })
        assertSame(probe, answer.status, 400, `${kind} of no position are HTTP 400`)
        const { code } = bodyOf(probe, answer)
        assertSame(probe, code, '400', `${kind} of no position have code "400"`)
      }
    },
  },
  {
    id: 'errors.position-times',
    title: 'a completed position needs startTime or endTime, and one of them is enough',
    checks: ['error.positionTimes', 'perpdex.position.times'],
    run: async (probe: Probe) => {
      const { address, coin, openTime, closeTime } = await someClosedPosition(probe)
      for (const kind of ['pnl', 'executions']) {
        const path = `/hl/traders/${address}/completed-position-${kind}/${encodeURIComponent(coin)}`
        const neither = await probe.request({ path, query: { interval: '1h' } })
        assertRefused(probe, neither, '400', `${kind} without both times are refused with "400"`)
        for (const query of [{ startTime: openTime }, { endTime: closeTime }]) {
          const answer = await probe.request({ path, query: { interval: '1h', ...query } })
          assertSuccess(probe, answer, `${kind} by ${Object.keys(query)} are found`)
        }
      }
    },
  },
  {
    id: 'errors.no-position',
    title: 'PnL and executions without a current position are success with null data',
    checks: ['error.noPosition'],
    run: async (probe: Probe) => {
      const coin = encodeURIComponent(await someCoin(probe))
      for (const kind of ['pnl', 'executions']) {
        const data = await dataOf(probe, {
          path: `/hl/traders/${UNUSED_ADDRESS}/current-position-${kind}/${coin}`,
          query: { interval: '1h' },
        })
        assertSame(probe, data, null, `${kind} of no position are null`)
      }
      const { address, coin: held } = await someOpenPosition(probe)
      const path = `/hl/traders/${address}/current-position-pnl/${encodeURIComponent(held)}`
      await probe.request({ path, query: { interval: '1h' } })
    },
  },
  {
    id: 'errors.no-order',
    title: 'an unknown order id is success with null data',
    checks: ['error.order'],
    run: async (probe: Probe) => {
      for (const path of ['/hl/orders/oid/1', '/hl/filled-orders/oid/1'])
        assertSame(probe, await dataOf(probe, { path }), null, `${path} is null`)
      const [order] = await someOrders(probe, 'filled-orders')
      await probe.request({ path: `/hl/orders/oid/${order?.oid}` })
    },
  },
  {
    id: 'errors.empty-depth',
    title: 'latest-depth of a pair without data is HTTP 200 with empty sides and length 0',
    checks: ['error.depthEmpty', 'depth.empty'],
    run: async (probe: Probe) => {
      const query = { dbKey: 'nosuchpair:nowhere' }
      const depth = await objectOf(probe, { path: '/futures/latest-depth', query })
      for (const side of ['asks', 'bids'])
        assertSame(probe, depth[side], [], `${side} are an empty list`)
      assertSame(probe, depth.length, 0, 'length is 0')
    },
  },
  {
    id: 'errors.silent-caps',
    title: 'values above size or a batch maximum are cut without an error',
    checks: ['error.silentCaps', 'limit.depthSize'],
    run: async (probe: Probe) => {
      const query = { dbKey: await somePair(probe), size: 100_000 }
      const depth = await objectOf(probe, { path: '/futures/latest-depth', query })
      for (const side of ['asks', 'bids'] as const) {
        const levels = depth[side]
        assertList(probe, levels, `${side} are a list`)
        assertAtMost(probe, levels.length, 500, `${side} have at most 500 levels`)
      }
      const addresses = Array.from({ length: 60 }, (_, n) => `0x${String(n).padStart(40, '0')}`)
      const request = {
        method: 'POST',
        path: '/hl/traders/statistics',
        body: { addresses },
      } as const
      const rows = await dataOf(probe, request)
      assertList(probe, rows, 'statistics are a list')
      assertAtMost(probe, rows.length, 50, 'statistics are of at most 50')
    },
  },
  {
    id: 'errors.secrets',
    title: 'no response and no error shows a secret key',
    checks: ['distributor.secretOnce'],
    run: async (probe: Probe) => {
      const requests: ProbeRequest[] = [
        ...[{ path: '/coin' }, { path: '/distributor/info', signedBy: 'partner' as const }],
        { path: '/coin', tamper: (right) => ({ ...right, Signature: 'wrong' }) },
        { path: '/no/such/path' },
      ]
      const secrets = Object.values(probe.target.keys).map(({ secretKey }) => secretKey)
      for (const one of requests) {
        if (one.signedBy && !probe.target.keys.partner) continue
        const { text, json } = await probe.request(one)
        const shown = secrets.some((secret) => text.includes(secret))
        probe.assert(!shown, `${one.path} does not show the secret key`, 'it is not repeated here')
        const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
        probe.assert(!('secret_key' in data), `${one.path} has no secret_key`, Object.keys(data))
      }
    },
  },
]

// Paths for trials of refusals.

/** Paths and their required parameters. */
const NEEDED: Record<string, string> = {
  '/futures/latest-depth': 'dbKey',
  '/futures/full-depth': 'dbKey',
  '/futures/full-depth/grouped': 'dbKey',
  '/hl/fills/top-trades': 'interval',
}

/** Paths and their permissions. */
const GUARDED: Record<string, string> = {
  '/hl/tickers': 'HL_TICKERS',
  '/hl/whales/directions': 'HL_WHALES_DIRECTIONS',
  '/hl/orders/active-stats': 'HL_ACTIVE_STATS',
  '/hl/liquidations/stat': 'HL_LIQUIDATIONS_STAT',
  '/hl/open-interest/summary': 'HL_OPEN_INTEREST_SUMMARY',
}

/** Observers of the open questions about refusals. */
export const ERRORS_OBSERVERS: Observers = {
  'refusal-status': async (probe) => {
    const { status } = await probe.request({ path: '/hl/tickers', signedIn: 'nowhere' })
    return status === 200 ? 'ok' : status === 401 ? 'http' : null
  },
}

/** Requirements of the contract on refusals. */
export const ERROR_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Errors', {
    'error.invite':
      'An invalid or consumed invite token is HTTP 400 with success false and an error ' + 'text.',
    'error.resourceType': 'Another resource_type in a level is HTTP 400.',
    'error.missing':
      'A missing parameter is envelope B with code "400", a msg that names it, and null ' + 'data.',
    'error.signature':
      'An invalid signature is envelope B with code "401", msg "Invalid signature" and null ' +
      'data.',
    'error.permission':
      'A missing permission is HTTP 403, code "403" and msg "Permission denied: ' +
      '<PERMISSION>".',
    'error.position': 'A completed position that cannot be found is HTTP 400.',
    'error.positionTimes': 'A completed position without startTime and endTime is HTTP 400.',
    'error.noPosition': 'A current position that does not exist is success with null data.',
    'error.order': 'An order that does not exist is success with null data.',
    'error.depthEmpty': 'latest-depth without data is HTTP 200 with empty levels.',
    'error.silentCaps': "What is above size or a batch's maximum is cut without an error.",
    'error.idle': 'An idle socket is closed by the server, mostly seen as 1006.',
  }),
]
