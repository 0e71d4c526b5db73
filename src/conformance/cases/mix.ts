import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import {
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../response-reading.ts'
import { pairKey } from '../target-lookups.ts'
import { isClose, isSameJson } from '../value-checks.ts'

/** Features of the whole market (the service's documentation, Feature and signal data). */
export const MIX_CASES: readonly Case[] = [
  {
    id: 'mix.scale.coins',
    title: 'fund-scale is of the coins that are asked for',
    checks: ['mix.fundcoScale.coins'],
    run: async (probe: Probe) => {
      for (const coins of ['btc', 'eth,btc']) {
        const found = Object.keys(await detail(probe, '/mix/fundco-scale', { coins })).sort()
        probe.assert(isSameJson(found, coins.split(',').sort()), `detail has ${coins}`, found)
      }
    },
  },
  {
    id: 'mix.scale.percent',
    title: 'percent of fund-scale is the change as a fraction of one',
    checks: ['record.scale.percent'],
    run: async (probe: Probe) => {
      const scales = await detail(probe, '/mix/fundco-scale', { coins: 'btc,eth,ltc' })
      for (const [coin, scale] of Object.entries(scales)) {
        probe.assert(isJsonObject(scale), `${coin} is an object`)
        const [whole, change, percent] = ['total', 'day_change', 'percent'].map((name) =>
          Number(scale[name]),
        ) as [number, number, number]
        const fits = [whole, whole - change].some((base) =>
          isClose(percent, base === 0 ? 0 : change / base, 0.01, 0.0005),
        )
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
        const usual = Number((await detail(probe, '/mix/liq')).liq24h)
        const cny = Number((await detail(probe, '/mix/liq', { currency: 'cny' })).liq24h)
        const usd = Number((await detail(probe, '/mix/liq', { currency: 'usd' })).liq24h)
        if (usual !== cny) return 'without a currency the numbers are those of cny'
        return usd === 0 || cny > usd * 2 ? null : 'a sum in cny is several times that in usd'
      }),
  },
  {
    id: 'signal.changes.currency',
    title: 'change signals are in usd unless cny is asked for',
    checks: ['signal.changes.currency'],
    run: async (probe: Probe) => {
      const found: string[] = []
      for (const type of ['1', '3', '5', '8', '17', '23']) {
        for (const [query, right] of CURRENCIES) {
          const asked = { path: '/signal/changeSignal', query: { type, ...query } }
          const rows = await objectsOf(probe, asked, 'list')
          for (const { currency_str } of rows)
            probe.assert(currency_str === right, `currency_str is ${right}`, currency_str)
          found.push(...rows.map((row) => String(row.type)))
          probe.assert(
            rows.every((row) => String(row.type) === type),
            `all are of type ${type}`,
          )
        }
      }
      if (found.length === 0) probe.skip('there are no change signals now')
    },
  },
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
        probe.assert(missing.length === 0, `${key} has ${names.join(', ')}`, found)
      }
      if (seen === 0) probe.skip('no indicator has data now')
    },
  },
]

async function detail(probe: Probe, path: string, query = {}): Promise<JsonObject> {
  const data = await objectOf(probe, { path, query })
  probe.assert(isJsonObject(data.detail), `detail of ${path} is an object`)
  return data.detail
}

const CURRENCIES = [
  [{}, 'usd'],
  [{ currency: 'usd' }, 'usd'],
  [{ currency: 'cny' }, 'cny'],
] as const

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
