/** What funding will be charged next here and elsewhere: the present rates. */
import type { Moment } from '../../../../contract/facts.ts'
import type { PredictedFunding } from '../../../../contract/records/funding.ts'
import { spanMs } from '../../../../contract/span.ts'
import { EXCHANGES } from '../../../exchanges/exchanges.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { fundingRatesOf } from '../../futures/funding-rates.ts'

/** The exchanges that the venue compares itself with, by their names there. */
const COMPARED_EXCHANGES = [
  { name: 'BinPerp', key: 'binance', hours: 8 },
  { name: 'HlPerp', key: null, hours: 1 },
  { name: 'BybitPerp', key: 'bybit', hours: 8 },
]

/** Coins of the main dex by name. */
export function predictedFundings(world: World, moment: Moment): PredictedFunding[] {
  return world.listed
    .filter(({ kind, dex }) => kind === 'perp' && dex === '')
    .toSorted((a, b) => (a.coin < b.coin ? -1 : 1))
    .map((of) => [
      of.coin,
      COMPARED_EXCHANGES.map((one) => [one.name, exchangeRate(world, moment, of, one)]),
    ])
}

function exchangeRate(
  world: World,
  moment: Moment,
  instrument: InstrumentRow,
  { key, hours }: (typeof COMPARED_EXCHANGES)[number],
) {
  const exchange = EXCHANGES.find((one) => one.key === key) ?? null
  const contract = { instrument, exchange }
  const [now] = fundingRatesOf(world, moment, contract, { symbol: '', interval: '1m', limit: 1 })
  if (!now) return null
  const { atMs, shiftMs } = moment
  const lengthMs = hours * spanMs('1h')
  return {
    fundingRate: now.close,
    nextFundingTime: (Math.floor((atMs + shiftMs) / lengthMs) + 1) * lengthMs - shiftMs,
    fundingIntervalHours: hours,
  }
}
