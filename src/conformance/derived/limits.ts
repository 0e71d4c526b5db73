/** How many rows are given: exactly as many as is said, where the target has more. */

import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import { assertAtMost } from '../assertions.ts'
import type { Case } from '../case.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { AskedOperation } from './asked-operation.ts'
import { callerOf } from './example-requests.ts'
import { fullest, WIDEST } from './fullest-answers.ts'
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
  const { given, ceiling } = await fullest(probe, operation, parameter)
  const limited = new AskedOperation(probe, operation, WIDEST[operation.id])
    .with(given)
    .withValue(parameter, value)
  let there = 0
  await retryUntilHeld(probe, async () => {
    const rows = await limited.rows(new AskedOperation(probe, operation))
    const how = value === undefined ? 'left out' : `of ${value}`
    const found = `${rows.length} rows with ${parameter.name} ${how}`
    assertAtMost(probe, rows.length, bound, `${found} are at most ${bound}`)
    there = rows.length
    if (rows.length === bound) return bound === 2 ? judgeOne(limited, parameter) : null
    const proof =
      rows.length === ceiling
        ? 'several other questions have exactly as many'
        : await proofOfMore(limited, parameter, rows, bound)
    return proof === null ? null : `${found} are ${bound}, as there are more: ${proof}`
  })
  if (there < bound)
    probe.skip(`not judged: the target has only ${there} rows, which are fewer than ${bound}`)
}

/** Where there are two rows, one is given when one is asked for: few have three. */
async function judgeOne(limited: AskedOperation, parameter: Parameter): Promise<null> {
  const rows = await limited.withValue(parameter, 1).rows()
  const words = `${rows.length} rows with ${parameter.name} of 1 are at most 1`
  assertAtMost(limited.probe, rows.length, 1, words)
  return null
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
  if (wider.length >= bound) return `${bound + 1} are answered with ${wider.length}`
  return proofByCoins(limited, bound)
}

/** Where a coin can be asked for: single coins have more rows together than all have. */
async function proofByCoins(limited: AskedOperation, bound: number): Promise<string | null> {
  const coin = parametersOf(limited.operation).find(
    ({ place, required, schema }) => place === 'query' && !required && meaningOf(schema) === 'coin',
  )
  if (!coin) return null
  const ofAll = limited.withValue(coin, undefined)
  const coins = [...new Set((await ofAll.objects()).map(coinOf))].slice(0, COINS_MAX)
  let sum = 0
  for (const one of coins) {
    const rows = await limited.withValue(coin, one).objects()
    if (rows.every((row) => coinOf(row) === one)) sum += rows.length
  }
  // What has come meanwhile is among all that there are now.
  const { length } = await ofAll.rows()
  return length < bound && sum > length ? `${coins.join(', ')} alone have ${sum}` : null
}

/** Coins of which the rows are added. */
const COINS_MAX = 3

/** The coin of a row in any of its forms (open). */
const coinOf = ({ coin, symbol, order }: JsonObject): string =>
  String(coin ?? symbol ?? (isJsonObject(order) ? order.coin : ''))

/** Where intervals are left out, fewer rows than were asked for may be all there are. */
async function isGapless(limited: AskedOperation, parameter: Parameter): Promise<boolean> {
  const times = (await limited.withValue(parameter, ROWS_OF_SERIES).rows()).map(timeOf)
  const known = times.filter((time) => time !== null).sort((a, b) => a - b)
  const gaps = known.slice(2, -1).map((time, at) => time - (known[at + 1] as number))
  return gaps.length > 5 && Math.min(...gaps) === Math.max(...gaps)
}

/** Enough to see gaps in. */
const ROWS_OF_SERIES = 100

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
