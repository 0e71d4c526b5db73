import { assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import {
  dataOf,
  MOVED,
  objectOf,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../../response-reading.ts'
import { someCoin } from '../../target-lookups.ts'
import { column, columnSum, isClose, isNonDecreasing, isNonIncreasing } from '../../value-checks.ts'
import { acknowledged, dataIn, open, pushed, subscribe } from '../sockets/socket-dialogue.ts'

/** What endpoints and sockets tell of one market, which must agree at any instant. */
export const MARKET_CASES: readonly Case[] = [
  {
    id: 'perpdex.market.tickers',
    title: 'the ticker of a coin is the one of the list',
    checks: ['operation.perpdex.ticker'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, () =>
        whileStill(
          async () => {
            const tickers = await objectsOf(probe, { path: '/hl/tickers' })
            return tickers.find((row) => row.coin === coin)
          },
          async (listed) => {
            const path = `/hl/tickers/coin/${encodeURIComponent(coin)}`
            const one = await objectOf(probe, { path })
            assertSame(probe, one.coin, coin, 'it is of the coin that was asked for')
            return one.price === listed?.price ? null : `both tell the same price of ${coin}`
          },
        ),
      )
    },
  },
  {
    id: 'perpdex.market.books',
    title: 'the book of a socket is the book of POST /info, and its best prices are bbo',
    checks: ['channel.l2Book', 'channel.bbo', 'operation.perpdex.info'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const body = { type: 'l2Book', coin }
      await retryUntilHeld(probe, () =>
        whileStill(
          async () => levelsOf(await dataOf(probe, { method: 'POST', path: '/hl/info', body })),
          async (answered) => {
            const socket = await open(probe)
            await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
            const pushedBook = dataIn(await pushed(socket, 'l2Book', 'a book is pushed'))
            const book = bestOf(levelsOf(pushedBook))
            await acknowledged(socket, subscribe({ type: 'bbo', coin }))
            const best = dataIn(await pushed(socket, 'bbo', 'a best bid and offer is pushed'))
            socket.close()
            const ofBbo = Array.isArray(best.bbo) ? best.bbo.map(priceOf) : []
            if (book.join() !== bestOf(answered).join())
              return 'socket and POST /info have the same best prices'
            return book.join() === ofBbo.join() ? null : 'bbo has the best prices of the book'
          },
        ),
      )
    },
  },
  {
    id: 'perpdex.market.candles',
    title: 'the running candle is the same from a socket and from POST /info',
    checks: ['channel.candle', 'operation.perpdex.info'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, async () => {
        const before = await pushedCandle(probe, coin)
        const req = { coin, interval: '15m', startTime: before.t, endTime: before.T }
        const body = { type: 'candleSnapshot', req }
        const rows = await objectsOf(probe, { method: 'POST', path: '/hl/info', body })
        const found = rows.find(({ t }) => t === before.t)
        if (!found) return 'POST /info has the candle that is pushed'
        const wrong = ['o', 'h', 'l', 'c', 'v', 'n'].find((name) => !near(found, before, name))
        if (!wrong) return null
        return isBetween(before, found, await pushedCandle(probe, coin))
          ? MOVED
          : `${wrong} of the candle is the same from both`
      })
    },
  },
  {
    id: 'perpdex.market.liquidations',
    title: 'liquidation statistics are the sum of both sides and of all coins',
    checks: ['operation.perpdex.liquidationsStat'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const query = { interval: '1d' }
        const read = async (): Promise<JsonObject> => {
          const all = await objectOf(probe, { path: '/hl/liquidations/stat', query })
          return Object.fromEntries(SUMMED.map((name) => [name, all[name]]))
        }
        return whileStill(read, async (all) => {
          const both = Number(all.longFilled) + Number(all.shortFilled)
          probe.assert(isClose(all.totalFilled, both), 'long and short add up', all)
          const coins = await objectsOf(probe, { path: '/hl/liquidations/stat-by-coin', query })
          for (const name of ['totalFilled', 'longLiquidations', 'shortLiquidations'])
            if (!isClose(all[name], columnSum(coins, name)))
              return `${name} is the sum of all coins`
          return null
        })
      }),
  },
  {
    id: 'perpdex.market.whales',
    title: 'no coin has more whales than all coins together',
    checks: ['operation.perpdex.whaleDirections', 'perpdex.coin'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, async () => {
        const all = await objectOf(probe, { path: '/hl/whales/directions' })
        const one = await objectOf(probe, { path: '/hl/whales/directions', query: { coin } })
        for (const name of ['longCount', 'shortCount'])
          if (Number(one[name]) > Number(all[name])) return `${name} of ${coin} is a part of all`
        return null
      })
    },
  },
]

const SUMMED = [
  ...['longFilled', 'shortFilled', 'totalFilled', 'longLiquidations', 'shortLiquidations'],
]

const priceOf = (level: unknown) => (isJsonObject(level) ? Number(level.px) : null)

/** Bids and asks of a book. */
const levelsOf = (book: unknown): unknown[] =>
  isJsonObject(book) && Array.isArray(book.levels) ? book.levels : []

/** Best bid and best ask. */
const bestOf = (levels: readonly unknown[]): (number | null)[] =>
  levels.map((side) => priceOf(Array.isArray(side) ? side[0] : undefined))

/** The running candle of a quarter of an hour, as a socket pushes it. */
async function pushedCandle(probe: Probe, coin: string): Promise<JsonObject> {
  const socket = await open(probe)
  await acknowledged(socket, subscribe({ type: 'candle', coin, interval: '15m' }))
  const candle = dataIn(await pushed(socket, 'candle', 'a candle is pushed'))
  socket.close()
  return candle
}

/** Whether a candle may be one that ran after one was pushed and before the next. */
function isBetween(before: JsonObject, candle: JsonObject, after: JsonObject): boolean {
  if (after.t !== before.t) return true
  const rises = ['v', 'n', 'h'].every((name) =>
    isNonDecreasing(column([before, candle, after], name)),
  )
  const falls = isNonIncreasing(column([before, candle, after], 'l'))
  return near(candle, before, 'o') && rises && falls && !near(before, after, 'v')
}

const near = (one: JsonObject, other: JsonObject, name: string) =>
  isClose(one[name], other[name], 1e-9, 1e-9)
