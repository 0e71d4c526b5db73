import { assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectOf } from '../response-reading.ts'
import { pairKey } from '../target-lookups.ts'

/** Indicators of pairs (the service's documentation, Indicator keys). */
export const INDICATOR_CASES: readonly Case[] = [
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
