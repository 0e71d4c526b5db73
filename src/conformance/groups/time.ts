/** The run crosses ends of time: what was said before stays as it was, and what begins, begins. */

import { DAY_MS } from '../../clock/instant.ts'
import { OPERATIONS } from '../../contract/catalogue.ts'
import { firstExampleRequest } from '../derived/tested-operation.ts'
import { busyTraders, someCoins } from '../example-filler.ts'
import { HISTORIES } from '../ledger/rules/immutable-past.ts'
import type { Case, Probe } from '../probe.ts'
import { isJsonObject, isSuccess, type JsonObject, objectOf, objectsOf } from '../responses.ts'
import { OWN_LEVEL, withOwnLevel } from './distributor/levels.ts'

/** No end that is farther away is crossed: a market would have to grow for too long. */
const REACH_MS = 45 * 60_000
/** The end itself has passed by so much. */
const BEYOND_MS = 2_000

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
/** Numbers of coins and accounts that are read. */
const [COINS, ACCOUNTS] = [2, 2]

type End = 'minute' | 'hour' | 'day' | 'month'

const ENDS: Readonly<Record<End, (nowMs: number) => number>> = {
  minute: (nowMs) => endOf(nowMs, MINUTE_MS),
  hour: (nowMs) => endOf(nowMs, HOUR_MS),
  day: (nowMs) => endOf(nowMs, DAY_MS),
  month: (nowMs) => {
    const date = new Date(nowMs)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  },
}

const endOf = (nowMs: number, lengthMs: number): number => nowMs - (nowMs % lengthMs) + lengthMs

/** What was crossed, with the requests of a distributor's sub keys before and after it. */
interface Crossing {
  fromMs: number
  /** The instants of the ends that were crossed. */
  ends: Partial<Record<End, number>>
  used: [before: number, after: number] | null
  /** Statuses for a sub key whose quota is one request: the second before, and one after. */
  spent: [before: number, after: number] | null
}

/** Crosses each end in reach, once in a run, and reads the past before and after each. */
const crossing = (probe: Probe): Promise<Crossing> =>
  probe.once('ends of time', async (lookup) => {
    const fromMs = await presentMs(lookup)
    const near = Object.entries(ENDS).flatMap(([name, next]) =>
      next(fromMs) - fromMs <= REACH_MS ? [[name as End, next(fromMs)] as const] : [],
    )
    const stops = [...new Set(near.map(([, atMs]) => atMs))].sort((a, b) => a - b)
    await readPast(lookup)
    const before = await usedQuota(lookup)
    const cross = async () => {
      let nowMs = fromMs
      for (const atMs of stops) {
        await lookup.letTimePass(atMs + BEYOND_MS - nowMs)
        nowMs = atMs + BEYOND_MS
        await readPast(lookup)
      }
    }
    const ends: Crossing['ends'] = Object.fromEntries(near)
    const spent =
      ends.month === undefined ? await cross().then(() => null) : await spentOver(lookup, cross)
    const after = await usedQuota(lookup)
    const used: Crossing['used'] = before === null || after === null ? null : [before, after]
    return { fromMs, ends, used, spent }
  })

/** A new sub key spends its quota, then time is crossed, and it requests once more. */
async function spentOver(lookup: Probe, cross: () => Promise<void>): Promise<Crossing['spent']> {
  const { subKey } = lookup.target.control ?? {}
  if (!subKey || !lookup.target.keys.partner) return cross().then(() => null)
  return withOwnLevel(lookup, { max_request: 1 }, async () => {
    const { key, remove } = await subKey(OWN_LEVEL)
    const status = async () => {
      const request = { path: '/hl/tickers', signedBy: key, allowRateLimit: true } as const
      const answer = await lookup.request(request)
      return isSuccess(answer) ? 200 : answer.status
    }
    try {
      await status()
      const before = await status()
      await cross()
      return [before, await status()]
    } finally {
      await remove()
    }
  })
}

/** The instant of an end; skips a case whose end was not crossed. */
async function crossed(probe: Probe, end: End): Promise<Crossing & { atMs: number }> {
  if (probe.target.control === undefined)
    probe.skip(`without a control plane the end of no ${end} is crossed`)
  const found = await crossing(probe)
  const atMs = found.ends[end]
  if (atMs !== undefined) return { ...found, atMs }
  const minutes = Math.ceil((ENDS[end](found.fromMs) - found.fromMs) / MINUTE_MS)
  return probe.skip(`the next ${end} begins only in ${minutes} minutes, which is too far away`)
}

/** The present of the market as the target says it. */
async function presentMs(lookup: Probe): Promise<number> {
  const body = { type: 'webData2', user: UNUSED }
  const { serverTime } = await objectOf(lookup, { method: 'POST', path: '/hl/info', body })
  return Number(serverTime)
}

const UNUSED = '0x000000000000000000000000000000000000dead'

/** Everything that has a past, for the rules over the whole run. */
async function readPast(lookup: Probe): Promise<void> {
  for (const operation of OPERATIONS)
    if (HISTORIES.has(operation.id))
      await lookup.request(await firstExampleRequest(lookup, operation))
  for (const coin of (await someCoins(lookup)).slice(0, COINS)) {
    for (const interval of ['1m', '1h', '1d'])
      await lookup.request({
        path: `/hl/klines-with-taker-vol/${coin}/${interval}`,
        query: { limit: 60 },
      })
    const req = { coin, interval: '1m', startTime: 0 }
    await lookup.request({
      method: 'POST',
      path: '/hl/info',
      body: { type: 'candleSnapshot', req },
    })
  }
  for (const user of (await busyTraders(lookup)).slice(0, ACCOUNTS)) {
    for (const window of ['day', 'week', 'month', 'allTime'])
      await lookup.request({ path: `/hl/portfolio/${user}/${window}` })
    await lookup.request({ path: `/hl/fills/${user}`, query: { limit: 200 } })
    await lookup.request({ path: `/hl/traders/${user}/completed-trades` })
    for (const type of ['userFills', 'userFunding'])
      await lookup.request({ method: 'POST', path: '/hl/info', body: { type, user } })
  }
}

/** Requests of this month by sub keys, one of them just now; null without such keys. */
async function usedQuota(lookup: Probe): Promise<number | null> {
  if (!lookup.target.keys.partner || !lookup.target.keys.sub) return null
  await lookup.request({ path: '/hl/tickers', signedBy: 'sub' })
  const quota = await objectOf(lookup, { path: '/distributor/quota', signedBy: 'partner' })
  return Number(quota.used_quota)
}

/** No candle of an interval goes on over an end, and there are some before it. */
async function assertClosed(probe: Probe, interval: string, lengthMs: number, atMs: number) {
  const [coin = ''] = await someCoins(probe)
  const path = `/hl/klines-with-taker-vol/${coin}/${interval}`
  const query = { startTime: atMs - CANDLES * lengthMs, endTime: atMs + lengthMs, limit: 30 }
  const times = (await objectsOf(probe, { path, query })).map(({ openTime }) => Number(openTime))
  if (!times.some((time) => time < atMs)) probe.skip('no candle is older than the end')
  const wrong = times.filter((time) => time < atMs && time + lengthMs > atMs)
  probe.assert(wrong.length === 0, `no candle of ${interval} goes on over the end`, {
    expected: { end: atMs },
    found: wrong,
  })
}

/** So many candles before an end are looked at. */
const CANDLES = 10

export const TIME_CASES: readonly Case[] = [
  {
    id: 'time.minute',
    title: 'candles of a minute end with it, and what was said before stays as it was',
    checks: ['operation.perpdex.klinesWithTakerVol'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { atMs } = await crossed(probe, 'minute')
      await assertClosed(probe, '1m', MINUTE_MS, atMs)
    },
  },
  {
    id: 'time.hour',
    title: 'with the hour a candle ends, and each holder of a position pays or receives funding',
    checks: ['operation.perpdex.klinesWithTakerVol', 'operation.perpdex.info'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { atMs } = await crossed(probe, 'hour')
      await assertClosed(probe, '1h', HOUR_MS, atMs)
      const unpaid: string[] = []
      for (const user of await holders(probe)) {
        const coins = await heldBefore(probe, user, atMs)
        if (coins.length === 0) continue
        const payments = await infoRows(probe, { type: 'userFunding', user, startTime: atMs })
        const paid = payments.map(({ delta }) => (isJsonObject(delta) ? delta.coin : null))
        unpaid.push(
          ...coins.filter((coin) => !paid.includes(coin)).map((coin) => `${user} ${coin}`),
        )
      }
      probe.assert(unpaid.length === 0, 'each held position is charged at the hour', unpaid)
    },
  },
  {
    id: 'time.day',
    title: 'with the day a candle ends, and the portfolio of a day goes on',
    checks: ['operation.perpdex.klinesWithTakerVol', 'operation.perpdex.portfolio'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { atMs } = await crossed(probe, 'day')
      await assertClosed(probe, '1d', DAY_MS, atMs)
      const [user = ''] = await busyTraders(probe)
      const curve = await objectOf(probe, { path: `/hl/portfolio/${user}/day` })
      const points = Array.isArray(curve.accountValue)
        ? curve.accountValue.filter(isJsonObject)
        : []
      const times = points.map(({ time }) => Number(time))
      if (times.length === 0) probe.skip('the account has no curve')
      const isOpen = times.some((time) => time < atMs) && Math.max(...times) >= atMs
      probe.assert(isOpen, 'it has the day before, and the present', times)
    },
  },
  {
    id: 'time.month',
    title: 'with the month the quota of a distributor begins anew',
    checks: ['quota.used', 'limit.level.quota'],
    needs: ['partner', 'sub'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { used, spent } = await crossed(probe, 'month')
      if (used === null) return probe.skip('no request of a sub key was counted')
      const [before, after] = used
      const quota = await objectOf(probe, { path: '/distributor/quota', signedBy: 'partner' })
      probe.assert(before > 0, 'the requests of the month before are counted', quota)
      probe.assert(after >= 1 && after <= ONCE, 'those of the new month alone are counted', {
        expected: { atMost: ONCE },
        found: { before, after },
      })
      if (spent === null) return
      probe.assert(spent[0] !== 200, 'a spent quota is refused before the month ends', spent)
      probe.assert(spent[1] === 200, 'and with the new month requests are answered again', spent)
    },
  },
]

/** After the end, so many requests of sub keys were sent. */
const ONCE = 2

/** Accounts with the largest positions of a coin. */
async function holders(probe: Probe): Promise<string[]> {
  const [coin = ''] = await someCoins(probe)
  const query = { coin, take: HOLDERS, topBy: 'position-value' }
  const rows = await objectsOf(probe.lookup, { path: '/hl/whales/open-positions', query })
  return rows.slice(0, HOLDERS).map(({ user }) => String(user))
}

const HOLDERS = 8

/** Coins whose position an account held at an instant: opened before, and there still. */
async function heldBefore(probe: Probe, user: string, atMs: number): Promise<string[]> {
  const state = await objectOf(probe, {
    method: 'POST',
    path: '/hl/info',
    body: { type: 'clearinghouseState', user },
  })
  const positions = Array.isArray(state.assetPositions) ? state.assetPositions : []
  const coins = positions.flatMap((one) =>
    isJsonObject(one) && isJsonObject(one.position) ? [String(one.position.coin)] : [],
  )
  const fills = await infoRows(probe, { type: 'userFillsByTime', user, startTime: atMs - HOUR_MS })
  const traded = new Set(fills.map(({ coin }) => coin))
  return coins.filter((coin) => !traded.has(coin))
}

const infoRows = (probe: Probe, body: JsonObject): Promise<JsonObject[]> =>
  objectsOf(probe, { method: 'POST', path: '/hl/info', body })
