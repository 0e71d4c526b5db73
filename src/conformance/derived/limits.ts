/** How many rows are given: exactly as many as is said, where the target has more. */
import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { busyTraders, openPositions } from '../target-lookups.ts'
import { AskedOperation, type Given } from './asked-operation.ts'
import { callerOf } from './example-requests.ts'
import { oldestTime, timeOf } from './row-times.ts'

/** Cases of a parameter that counts rows: left out, few, at its most, and above. */
export function limitCases(operation: Operation, parameter: Parameter): Case[] {
  const { name, schema } = parameter
  const [usually, max] = [schema.default, schema['x-cut']] as (number | undefined)[]
  if (meaningOf(schema) !== 'pageSize') return []
  const given: [string, number | undefined, number | undefined][] = [
    ['left out', undefined, usually],
    ['of two', 2, 2],
    ['at its most', max, max],
    ['above its most', max === undefined ? undefined : max + 1, max],
  ]
  return given.flatMap(([how, value, bound]): Case[] => {
    if (bound === undefined || (value === undefined && how !== 'left out')) return []
    if (UNSTATED[operation.id]?.includes(how)) return []
    return [
      {
        id: `limits.${how.replaceAll(' ', '-')}.${operation.id}.${name}`,
        title: `${operation.id} gives exactly ${bound} with ${name} ${how}, where there are more`,
        checks: requirementsOf(operation.id, 'limits'),
        ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
        run: (probe: Probe) => judge(probe, operation, parameter, value, bound),
      },
    ]
  })
}

async function judge(
  probe: Probe,
  operation: Operation,
  parameter: Parameter,
  value: number | undefined,
  bound: number,
): Promise<void> {
  const { path, ceiling } = await fullest(probe, operation, parameter)
  const limited = new AskedOperation(probe, operation, WIDEST[operation.id])
    .with({ path })
    .withValue(parameter, value)
  let there = 0
  await retryUntilHeld(probe, async () => {
    const rows = await limited.rows(new AskedOperation(probe, operation))
    const how = value === undefined ? 'left out' : `of ${value}`
    const found = `${rows.length} rows with ${parameter.name} ${how}`
    probe.assert(rows.length <= bound, `${found} are at most ${bound}`)
    there = rows.length
    if (rows.length === bound) return null
    const proof =
      rows.length === ceiling
        ? 'several accounts have exactly as many'
        : await proofOfMore(limited, parameter, rows, bound)
    return proof === null ? null : `${found} are ${bound}, as there are more: ${proof}`
  })
  if (there < bound)
    probe.skip(`not judged: the target has only ${there} rows, which are fewer than ${bound}`)
}

/** How it is known that there are more rows than were given; null when it is not. */
async function proofOfMore(
  limited: AskedOperation,
  parameter: Parameter,
  rows: readonly unknown[],
  bound: number,
): Promise<string | null> {
  if (rows.length === 0) return null
  const parameters = parametersOf(limited.operation)
  const page = parameters.find(({ name }) => /^page(Num)?$/.test(name))
  if (page && (await limited.withValue(page, 2).rows()).length > 0)
    return 'the second page has some'
  const end = parameters.find(({ schema }) => meaningOf(schema) === 'rangeEnd')
  const oldest = oldestTime(rows)
  if (end && oldest !== null) {
    const before = end.schema['x-time'] === 's' ? Math.floor(oldest / 1000) - 1 : oldest - 1
    const older = oldestTime(await limited.withValue(end, before).rows())
    const isOlder = older !== null && older < oldest
    if (isOlder && (await isGapless(limited, parameter))) return 'there are older ones'
  }
  const wider = await limited.withValue(parameter, bound + 1).rows()
  return wider.length >= bound ? `${bound + 1} are answered with ${wider.length}` : null
}

/** Where intervals are left out, fewer rows than were asked for may be all there are. */
async function isGapless(limited: AskedOperation, parameter: Parameter): Promise<boolean> {
  const times = (await limited.withValue(parameter, ROWS_OF_SERIES).rows()).map(timeOf)
  const known = times.filter((time) => time !== null).sort((a, b) => a - b)
  const gaps = known.slice(2, -1).map((time, at) => time - (known[at + 1] as number))
  return gaps.length > 5 && Math.min(...gaps) === Math.max(...gaps)
}

/** Enough to see gaps in. */
const ROWS_OF_SERIES = 100

interface Fullest {
  path: Record<string, string>
  /** Rows that several accounts have exactly: where answers are cut, as that is no chance. */
  ceiling: number | null
}

/** Of whom the target has most. */
const fullest = (probe: Probe, operation: Operation, parameter: Parameter): Promise<Fullest> =>
  probe.once(`fullest ${operation.id}`, async (lookup) => {
    const asked = new AskedOperation(lookup, operation, WIDEST[operation.id])
    const max = (parameter.schema['x-cut'] as number | undefined) ?? 1000
    const lengths: number[] = []
    let best = {}
    for (const path of await subjects(lookup, operation)) {
      const { length } = await asked.with({ path }).withValue(parameter, max).rows()
      if (length > Math.max(-1, ...lengths)) best = path
      lengths.push(length)
      if (length >= max) break
    }
    const most = Math.max(0, ...lengths)
    const isCeiling = most >= CHANCE_MAX && lengths.filter((one) => one === most).length > 1
    return { path: best, ceiling: isCeiling ? most : null }
  })

/** Of whom else it can be asked: accounts that trade much, or positions that are held. */
async function subjects(probe: Probe, { path }: Operation): Promise<Record<string, string>[]> {
  if (path.includes('/current-position-')) return (await openPositions(probe)).slice(0, OTHERS_MAX)
  if (!path.includes('/:address') || path.includes('/completed-position-')) return []
  const traders = (await busyTraders(probe)).slice(0, OTHERS_MAX)
  return [{}, ...traders.map((address) => ({ address }))]
}

/** Two accounts may have as many rows as this by chance. */
const CHANCE_MAX = 100

/** Accounts or positions that are looked at for one that has enough. */
const OTHERS_MAX = 5

/** What the contract does not say: of these a service may choose its own. */
const UNSTATED: Readonly<Record<string, readonly string[]>> = {
  'content.exchangeListingFlash': ['at its most', 'above its most'],
  'futures.coinMarginInterestHistory': ['left out', 'at its most', 'above its most'],
  'futures.stablecoinInterestHistory': ['left out', 'at its most', 'above its most'],
  'futures.fundingRateHistory': ['left out', 'at its most', 'above its most'],
  'futures.weightedFundingRateHistory': ['left out', 'at its most', 'above its most'],
  'futures.liquidationHistory': ['at its most', 'above its most'],
  'futures.estimatedLiquidationHistory': ['at its most', 'above its most'],
  'futures.interest': ['left out'],
  'indicator.klines': ['left out'],
  'indicator.records': ['left out'],
  'content.newsList': ['left out'],
  'content.rssNewsList': ['left out'],
}

/** What the first example would leave out. */
const WIDEST: Readonly<Record<string, Given>> = {
  'futures.coinMarginInterestHistory': { query: { interval: '1m' } },
  'futures.stablecoinInterestHistory': { query: { interval: '1m' } },
  'futures.fundingRateHistory': { query: { interval: '1m' } },
  'futures.weightedFundingRateHistory': { query: { interval: '1m' } },
  'futures.liquidationHistory': { query: { interval: '1m' } },
  'futures.estimatedLiquidationHistory': { query: { leverage: '10' } },
  'indicator.klines': { query: { period: '60' } },
  'indicator.records': { query: { period: '60' } },
  'perpdex.klinesWithTakerVol': { path: { interval: '1m' } },
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
