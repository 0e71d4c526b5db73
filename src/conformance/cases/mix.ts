import { assertObject, assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectOf, retryUntilHeld, whileStill } from '../response-reading.ts'
import { isClose } from '../value-checks.ts'

/** Every coin that may be asked for. */
const EVERY_COIN = 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc'

/** Features of the whole market (the service's documentation, Feature and signal data). */
export const MIX_CASES: readonly Case[] = [
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
