/** Cases written by hand: what no declaration holds. */

import type { Credentials } from '../contract/signature.ts'
import {
  assertAtLeast,
  assertNoSocket,
  assertNoSuccess,
  assertObject,
  assertRefused,
  assertSame,
  assertSuccess,
  assertUnique,
} from './assertions.ts'
import type { Case } from './case.ts'
import { SIGNATURE_CASES } from './cases/authentication/signatures.ts'
import { CONTENT_CASES } from './cases/content.ts'
import { LEVEL_CASES } from './cases/distributor/levels.ts'
import { QUOTA_CASES } from './cases/distributor/quota.ts'
import { REGISTRATION_CASES } from './cases/distributor/registration.ts'
import { SUB_KEY_CASES } from './cases/distributor/sub-keys.ts'
import { ENVELOPE_CASES } from './cases/envelopes.ts'
import { ERROR_CASES } from './cases/errors.ts'
import { FUTURES_DEPTH_CASES } from './cases/futures/depth.ts'
import { FUTURES_HISTORY_CASES } from './cases/futures/history.ts'
import { INDEX_CASES } from './cases/index.ts'
import { LIMIT_CASES } from './cases/limits.ts'
import { ACCOUNT_MEANING_CASES } from './cases/meaning/accounts.ts'
import { MARKET_MEANING_CASES } from './cases/meaning/market.ts'
import { PERCENTAGE_CASES } from './cases/meaning/percentages.ts'
import { PRICE_MEANING_CASES } from './cases/meaning/prices.ts'
import { ACCOUNT_CASES } from './cases/perpdex/accounts.ts'
import { MARKET_CASES } from './cases/perpdex/market.ts'
import { ORDER_CASES } from './cases/perpdex/orders.ts'
import { POSITION_CASES } from './cases/perpdex/positions.ts'
import { TRADE_CASES } from './cases/perpdex/trades.ts'
import { ALERT_CASES } from './cases/signal/alerts.ts'
import { MARKET_SIGNAL_CASES } from './cases/signal/market-signals.ts'
import { ADDRESS_CASES } from './cases/sockets/address-channels.ts'
import { FRAME_CASES } from './cases/sockets/frames.ts'
import { IDLE_CASES } from './cases/sockets/idle-timing.ts'
import { PUSH_TIMING_CASES } from './cases/sockets/push-timing.ts'
import { PUSH_CASES } from './cases/sockets/pushes.ts'
import { SNAPSHOT_CASES } from './cases/sockets/snapshots.ts'
import {
  acknowledged,
  dataIn,
  open,
  pushed,
  subscribe,
  unsubscribe,
} from './cases/sockets/socket-dialogue.ts'
import { SUBSCRIPTION_CASES } from './cases/sockets/subscriptions.ts'
import { STOCK_CASES } from './cases/stock.ts'
import { isJsonObject, type JsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import { objectOf, objectsOf, retryUntilHeld, whileStill } from './response-reading.ts'
import { pairKey, someTraders, UNUSED_ADDRESS } from './target-lookups.ts'
import { isClose } from './value-checks.ts'

/** Every coin that may be asked for. */
const EVERY_COIN = 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc'

/** Features of the whole market (the service's documentation, Feature and signal data). */
const MIX_CASES: readonly Case[] = [
  {
    id: 'mix.scale.coins',
    title: 'fund-scale is of the coins that are asked for',
    checks: ['mix.fundcoScale.coins'],
    run: async (probe: Probe) => {
      const found = async (coins: string) =>
        Object.keys(await detail(probe, '/mix/fundco-scale', { coins })).sort()
      for (const coins of ['btc', 'eth,btc'])
        assertSame(probe, await found(coins), coins.split(',').sort(), `detail has ${coins}`)
      // Who counts in dollars may leave out what has no price.
      const all = await found(EVERY_COIN)
      const asked = all.every((coin) => EVERY_COIN.split(',').includes(coin))
      probe.assert(asked && all.length > 2, `detail has ${EVERY_COIN}`, all)
    },
  },
  {
    id: 'mix.scale.percent',
    title: 'percent of fund-scale is the change as a fraction of one',
    checks: ['record.scale.percent'],
    run: async (probe: Probe) => {
      const scales = await detail(probe, '/mix/fundco-scale', { coins: EVERY_COIN })
      for (const [coin, scale] of Object.entries(scales)) {
        assertObject(probe, scale, `${coin} is an object`)
        const [total, change, percent] = ['total', 'day_change', 'percent'].map((name) =>
          Number(scale[name]),
        ) as [number, number, number]
        const fits = [total, total - change].some((base) => {
          if (base === 0) return isClose(percent, 0, 0, ROUNDED_MOST)
          const rounded = unitOf(scale.day_change) / base + unitOf(scale.percent)
          return isClose(percent, change / base, 0.01, Math.min(rounded, ROUNDED_MOST))
        })
        probe.assert(fits, `percent of ${coin} is day_change as a part of total`, scale)
      }
    },
  },
  {
    id: 'mix.liquidations.sums',
    title: 'long and short liquidations add up to all of them',
    checks: ['record.mixLiquidation.sums'],
    run: async (probe: Probe) => {
      for (const query of [
        {},
        { type: 1, coinKey: 'bitcoin' },
        { type: 2, marketKey: 'binance' },
      ]) {
        const row = await detail(probe, '/mix/liq', query)
        for (const span of ['1h', '24h']) {
          const sum = Number(row[`liqLong${span}`]) + Number(row[`liqShort${span}`])
          probe.assert(isClose(row[`liq${span}`], sum), `long and short of ${span} add up`, row)
        }
      }
    },
  },
  {
    id: 'mix.liquidations.currency',
    title: 'liquidation statistics are in cny unless usd is asked for',
    checks: ['mix.liq.currency'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const liq24h = async (query = {}) => Number((await detail(probe, '/mix/liq', query)).liq24h)
        return whileStill(liq24h, async (usual) => {
          const cny = await liq24h({ currency: 'cny' })
          const usd = await liq24h({ currency: 'usd' })
          if (usual !== cny) return 'without a currency the numbers are those of cny'
          return usd === 0 || cny > usd * 2 ? null : 'a sum in cny is several times that in usd'
        })
      }),
  },
]

async function detail(probe: Probe, path: string, query = {}): Promise<JsonObject> {
  const data = await objectOf(probe, { path, query })
  assertObject(probe, data.detail, `detail of ${path} is an object`)
  return data.detail
}

/** One in the last place of a number as it is written. */
const unitOf = (value: unknown): number => 10 ** -(String(value).split('.')[1] ?? '').length

/** More than this a part of one is not rounded. */
const ROUNDED_MOST = 0.0005

/** Channels of `/ws` that are keyed by an address (the service's documentation, Events). */
const USER_CASES: readonly Case[] = [
  {
    id: 'sockets.users.ack',
    title: 'an address-keyed channel is acknowledged without status and activeCount',
    checks: ['event.ack.coinOnly', 'event.ack.echo'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      for (const type of KEYED) {
        const socket = await open(probe)
        for (const command of [subscribe({ type, user }), unsubscribe({ type, user })]) {
          const ack = await acknowledged(socket, command)
          const wrong = ['status', 'activeCount'].filter((name) => name in ack)
          assertSame(probe, wrong, [], `the answer of ${type} has no ${wrong.join(', ')}`)
          const echoed = isJsonObject(ack.subscription) ? ack.subscription : {}
          const isEchoed = echoed.type === type && String(echoed.user).toLowerCase() === user
          probe.assert(ack.method === command.method && isEchoed, `${type} is echoed`, ack)
        }
      }
    },
  },
  {
    id: 'sockets.users.snapshot',
    title: 'an address-keyed channel pushes its snapshot first, of the user that was asked for',
    checks: ['event.snapshot'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      for (const type of KEYED) {
        const socket = await open(probe)
        await acknowledged(socket, subscribe({ type, user }))
        const frame = await socket.next()
        probe.assert(frame?.channel === type, `the first push is of ${type}`, frame ?? 'nothing')
        const data = dataIn(frame)
        probe.assert(String(data.user).toLowerCase() === user, 'it is of the user', data.user)
        if (type === 'userFills' || type === 'userNonFundingLedgerUpdates')
          assertSame(probe, data.isSnapshot, true, 'it says that it is a snapshot')
      }
    },
  },
  {
    id: 'sockets.users.agree',
    title: 'the state that a socket pushes is the state that the batch answers',
    checks: ['channel.clearinghouseState'],
    run: async (probe: Probe) => {
      const [user = UNUSED_ADDRESS] = await someTraders(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'clearinghouseState', user }))
      const frame = await pushed(socket, 'clearinghouseState', 'a state is pushed')
      const state = dataIn(frame).clearinghouseState
      const request = { method: 'POST', path: '/hl/traders/clearinghouse-state' } as const
      const [row] = await objectsOf(probe, { ...request, body: { addresses: [user] } })
      const coins = (of: unknown) =>
        isJsonObject(of) && Array.isArray(of.assetPositions) ? of.assetPositions.length : null
      const [here, there] = [coins(state), coins(row?.state)]
      probe.assert(here !== null && there !== null, 'both have assetPositions', { state, row })
      probe.assert(Math.abs(here - there) <= 1, 'both have as many positions', { here, there })
    },
  },
]

const KEYED = ['userFills', 'userNonFundingLedgerUpdates', 'clearinghouseState', 'openOrders']

/** Indicators of pairs (the service's documentation, Indicator keys). */
const INDICATOR_CASES: readonly Case[] = [
  {
    id: 'indicator.forms',
    title: 'indicator k-lines have the columns that are listed for their key',
    checks: ['indicator.keys', 'operation.indicator.records'],
    run: async (probe: Probe) => {
      let seen = 0
      for (const [key, names] of Object.entries(COLUMNS)) {
        const symbol = await pairWith(probe, key)
        if (symbol === null) continue
        const query = { symbol, indicator_key: key, period: 3600, size: 5 }
        const data = await objectOf(probe, { path: '/indicatorKline/dataRecords', query })
        const found = columnsOf(data.kline_data)
        if (found === null) continue
        seen++
        const missing = names.filter((name) => !found.includes(name))
        assertSame(probe, missing, [], `${key} has ${names.join(', ')}`)
      }
      if (seen === 0) probe.skip('no indicator has data now')
    },
  },
]

const COLUMNS: Record<string, string[]> = {
  fundflow: ['time', 'value'],
  ttsi: ['time', 'buyAccount', 'sellAccount'],
  ttmu: ['time', 'buyInterest', 'sellInterest'],
  position: ['time', 'open', 'high', 'low', 'close'],
  lsur: ['time', 'sellAccount', 'buyAccount', 'ratios'],
  tvolume: ['time', 'openInterest', 'volume'],
  ftbs: ['time', 'buyVolume', 'sellVolume'],
  basis: ['time', 'basis', 'basisRate'],
  mlr: ['time', 'ratios'],
  bsv: ['time', 'buyVolume', 'sellVolume'],
  fr: ['fundingTime', 'time', 'fundingRate'],
  aibst: ['timestamp', 'buyAccount', 'sellAccount'],
  aili: ['timestamp', 'buySize', 'sellSize'],
  aiaggtrade: ['timestamp', 'key', 'coin_type', 'trade_type'],
}

/** A pair that has an indicator; null where none has. */
async function pairWith(probe: Probe, key: string): Promise<string | null> {
  const query = { coinType: 'bitcoin', indicator_key: key }
  const { list } = await objectOf(probe, { path: '/indicatorKline/getTradingPair', query })
  const first = Array.isArray(list) ? list[0] : undefined
  return first === undefined ? null : pairKey(first)
}

/** Names of the columns in any of the forms that `kline_data` may have (open); null when empty. */
function columnsOf(data: unknown): string[] | null {
  const rows = Array.isArray(data)
    ? data
    : isJsonObject(data) && Array.isArray(data.list)
      ? data.list
      : null
  if (rows) return isJsonObject(rows[0]) ? Object.keys(rows[0]) : null
  return isJsonObject(data) ? Object.keys(data) : null
}

/**
 * Who may call what, and where the signature stands (the service's documentation, Authentication 4
 * to 7).
 */
const CALLER_CASES: readonly Case[] = [
  {
    id: 'authentication.sockets',
    title: 'a socket is opened for a signed connection only',
    checks: ['auth.sockets', 'auth.parameters'],
    run: async (probe: Probe) => {
      for (const path of ['/hl/ws', '/hl/ws/fills']) {
        await probe.connect({ path })
        const unsigned = await probe.tryConnect({ path, signedIn: 'nowhere' })
        assertNoSocket(probe, unsigned, `an unsigned connection to ${path} gets no socket`)
        const stale = await probe.tryConnect({ path, ageS: 33 })
        assertNoSocket(probe, stale, `a connection signed 33 s ago gets no socket on ${path}`)
      }
    },
  },
  {
    id: 'authentication.distributor',
    title: 'distributor endpoints take the key of the distributor and no sub key',
    checks: ['auth.distributor'],
    needs: ['partner', 'sub'],
    run: async (probe: Probe) => {
      for (const path of ['/distributor/info', '/distributor/quota', '/distributor/levels']) {
        const own = await probe.request({ path, signedBy: 'partner' })
        assertSuccess(probe, own, `the distributor may call ${path}`)
        const sub = await probe.request({ path, signedBy: 'sub' })
        assertNoSuccess(probe, sub, `a sub key may not call ${path}`)
        probe.assert(sub.status === 403 || sub.status === 401, `a sub key is told so by status`, {
          expected: '401 or 403',
          found: sub.status,
        })
      }
    },
  },
  {
    id: 'authentication.body',
    title: 'AI insights take the signature inside the body as well as in the query',
    checks: ['content.aiCoins.bodySignature'],
    run: async (probe: Probe) => {
      const body = { coinKeys: ['bitcoin'], language: 'EN' }
      const request = { method: 'POST', path: '/content/ai-coins', body } as const
      const inside = await probe.request({ ...request, signedIn: 'body' })
      assertSuccess(probe, inside, 'a signature inside the body is accepted')
      const outside = await probe.request(request)
      assertSuccess(probe, outside, 'a signature in the query is accepted')
      const forged = (right: Credentials) => ({ ...right, Signature: 'AAAA' })
      const wrong = await probe.request({ ...request, signedIn: 'body', tamper: forged })
      assertRefused(probe, wrong, '401', 'a wrong signature inside the body is refused')
    },
  },
]

/** Coins (the service's documentation, Futures, index and coin data). */
const COIN_CASES: readonly Case[] = [
  {
    id: 'coin.keys',
    title: 'no two coins have the same coin_key',
    checks: ['record.coin.key'],
    run: async (probe: Probe) => {
      const keys = (await objectsOf(probe, { path: '/coin' })).map((row) => row.coin_key)
      assertAtLeast(probe, keys.length, 1, 'there are coins')
      assertUnique(probe, keys, 'each coin_key stands once')
    },
  },
  {
    id: 'coin.lists',
    title: 'tickers and profiles are of the coins of coin_list and of no others',
    checks: ['coin.ticker.list'],
    run: async (probe: Probe) => {
      const coins = await objectsOf(probe, { path: '/coin' })
      const keys = coins.slice(0, 3).map((row) => String(row.coin_key))
      for (const path of ['/coin/ticker', '/coin/config'])
        for (const wanted of [keys, keys.slice(1, 2)]) {
          const rows = await objectsOf(probe, { path, query: { coin_list: wanted.join(',') } })
          const found = rows.map((row) => String(row.coin_key)).sort()
          assertSame(probe, found, [...wanted].sort(), `${path} answers ${wanted}`)
        }
    },
  },
]

/** Those that move the target's time come last. */
export const HAND_WRITTEN_CASES: readonly Case[] = [
  ...ENVELOPE_CASES,
  ...SIGNATURE_CASES,
  ...CALLER_CASES,
  ...ERROR_CASES,
  ...COIN_CASES,
  ...INDEX_CASES,
  ...STOCK_CASES,
  ...FUTURES_DEPTH_CASES,
  ...FUTURES_HISTORY_CASES,
  ...MIX_CASES,
  ...INDICATOR_CASES,
  ...MARKET_SIGNAL_CASES,
  ...ALERT_CASES,
  ...CONTENT_CASES,
  ...LIMIT_CASES,
  ...TRADE_CASES,
  ...ORDER_CASES,
  ...POSITION_CASES,
  ...ACCOUNT_CASES,
  ...MARKET_CASES,
  ...ACCOUNT_MEANING_CASES,
  ...MARKET_MEANING_CASES,
  ...PRICE_MEANING_CASES,
  ...PERCENTAGE_CASES,
  ...SUBSCRIPTION_CASES,
  ...SNAPSHOT_CASES,
  ...USER_CASES,
  ...ADDRESS_CASES,
  ...FRAME_CASES,
  ...REGISTRATION_CASES,
  ...LEVEL_CASES,
  ...QUOTA_CASES,
  ...SUB_KEY_CASES,
  ...PUSH_CASES,
  ...IDLE_CASES,
  ...PUSH_TIMING_CASES,
]
