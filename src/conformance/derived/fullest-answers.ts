/** How an operation is asked to answer with most rows, and whether several such answers are cut. */
import type { Operation } from '../../contract/operation.ts'
import type { Parameter } from '../../contract/parameters.ts'
import type { Probe } from '../probe.ts'
import { inventoryOf } from '../target-inventory.ts'
import { busyTraders, openPositions, someCoins } from '../target-lookups.ts'
import { AskedOperation, type Given } from './asked-operation.ts'

interface Fullest {
  given: Given
  /** Rows that several questions have exactly: where answers are cut, as that is no chance. */
  ceiling: number | null
}

/** How it is asked to get most rows. */
export const fullest = (
  probe: Probe,
  operation: Operation,
  parameter: Parameter,
): Promise<Fullest> =>
  probe.once(`fullest ${operation.id}`, async (lookup) => {
    const asked = new AskedOperation(lookup, operation, WIDEST[operation.id])
    const max = (parameter.schema['x-cut'] as number | undefined) ?? 1000
    const answers = new Map<string, number>()
    let best: Given = {}
    for (const given of await furtherQuestions(lookup, operation)) {
      const rows = await asked.with(given).withValue(parameter, max).rows()
      if (rows.length > Math.max(-1, ...answers.values())) best = given
      // In whichever order: two questions with the same rows are one.
      answers.set(
        rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join(),
        rows.length,
      )
      if (rows.length >= max) break
    }
    return { given: best, ceiling: ceilingOf([...answers.values()]) }
  })

/** What answers of different rows are cut to; null where it may be chance. */
function ceilingOf(lengths: readonly number[]): number | null {
  const most = Math.max(0, ...lengths)
  const alike = lengths.filter((one) => one === most).length
  return (most >= MANY && alike > 1) || (most >= SOME && alike > 2) ? most : null
}

/** So many rows two answers do not have by chance, and so many not three. */
const [MANY, SOME] = [100, 20]

/** Of whom or what else it can be asked: accounts that trade much, held positions, coins. */
async function furtherQuestions(probe: Probe, operation: Operation): Promise<Given[]> {
  const { id, path } = operation
  if (path.includes('/current-position-'))
    return (await openPositions(probe)).slice(0, POSITIONS_MAX).map((path) => ({ path }))
  if (path.includes('/completed-position-')) return [{}]
  if (path.includes('/twap-states/'))
    return [(await inventoryOf(probe)).addresses.twap ?? []]
      .flat()
      .map((address) => ({ path: { address } }))
  if (path.includes('/:address')) {
    const traders = (await busyTraders(probe)).slice(0, OTHERS_MAX)
    return [{}, ...traders.map((address) => ({ path: { address } }))]
  }
  if (!OF_COINS.includes(id)) return [{}, ...(OTHERS[id] ?? [])]
  const coins = (await someCoins(probe)).slice(0, COINS_MAX)
  return [{}, ...coins.map((coin) => ({ query: { coin } })), ...(OTHERS[id] ?? [])]
}

/** Lists of single events of a coin: of series two coins may have as many for their age. */
const OF_COINS: readonly string[] = [
  ...['perpdex.fillsOfBuilder', 'perpdex.topTrades', 'perpdex.topOpenOrders'],
  'perpdex.liquidationsTopPositions',
]

const intervals = (...all: readonly string[]): readonly Given[] =>
  all.map((interval) => ({ query: { interval } }))

/** Other orders of rows of which the first are other ones, and other steps between them. */
const OTHERS: Readonly<Record<string, readonly Given[]>> = {
  'perpdex.liquidationsHistory': intervals('15m', '30m', '1h'),
  'perpdex.whaleLongRatios': intervals('1h', '4h'),
  'perpdex.whalePositions': ['margin-balance', 'create-time', 'profit', 'loss'].map((topBy) => ({
    query: { topBy },
  })),
}

/** Coins that are looked at. */
const COINS_MAX = 4

/** Accounts, and positions, that are looked at for some that have enough. */
const [OTHERS_MAX, POSITIONS_MAX] = [12, 20]

/** What the first example would leave out. */
export const WIDEST: Readonly<Record<string, Given>> = {
  'futures.coinMarginInterestHistory': { query: { interval: '1m' } },
  'futures.stablecoinInterestHistory': { query: { interval: '1m' } },
  'futures.fundingRateHistory': { query: { interval: '1m' } },
  'futures.weightedFundingRateHistory': { query: { interval: '1m' } },
  'futures.liquidationHistory': { query: { interval: '1m' } },
  'futures.estimatedLiquidationHistory': { query: { leverage: '10' } },
  'indicator.klines': { query: { period: '60' } },
  'indicator.records': { query: { period: '60' } },
  'perpdex.klinesWithTakerVol': { path: { interval: '5m' } },
  'perpdex.topTrades': { query: { interval: '7d' } },
  'perpdex.liquidationsTopPositions': { query: { interval: '60d' } },
  'perpdex.liquidationsHistory': { query: { interval: '5m', coin: undefined } },
  'perpdex.bestTrades': { query: { period: 0 } },
  'perpdex.performanceByCoin': { query: { period: 0 } },
  'perpdex.whaleLongRatios': { query: { interval: '10m' } },
  'perpdex.currentPositionPnl': { query: { interval: '15m' } },
  'perpdex.currentPositionExecutions': { query: { interval: '15m' } },
  'perpdex.completedPositionPnl': { query: { interval: '15m' } },
  'perpdex.completedPositionExecutions': { query: { interval: '15m' } },
  'stock.topGainer': { query: { us_stock: undefined } },
  'stock.topGainerByPost': { body: { hk_stock: undefined } },
}
