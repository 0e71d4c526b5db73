/** Parameters: required ones, limits, and every value of a set. */

import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import {
  fullName,
  isOfType,
  type Parameter,
  parametersOf,
  typedParametersOf,
} from '../../contract/parameters.ts'
import type { TSchema } from '../../contract/schema.ts'
import { oldestTime, timeOf } from '../declared-violations.ts'
import { type EffectEntry, recordsIn } from '../effects/effect.ts'
import { EFFECTS } from '../effects.ts'
import { busyTraders } from '../example-filler.ts'
import type { Case, Probe } from '../probe.ts'
import { REQUIREMENTS, requirementsOf } from '../requirements.ts'
import {
  assertAtMost,
  assertNoSuccess,
  assertSame,
  isJsonObject,
  isSuccess,
  type JsonObject,
  retryUntilHeld,
} from '../responses.ts'
import {
  callerOf,
  firstExampleRequest,
  fullest,
  isSafeToCall,
  TestedOperation,
  WIDEST,
} from './tested-operation.ts'

/** Cases of every parameter with a checkable declaration. */
export const parameterCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : [
        ...parametersOf(operation).flatMap((parameter) => [
          ...(parameter.required && parameter.place !== 'path'
            ? [missingCase(operation, parameter)]
            : []),
          ...limitCases(operation, parameter),
          ...batchCases(operation, parameter),
          ...effectCases(operation, parameter),
          ...valueCases(operation, parameter),
        ]),
        // Bodies of `POST /info` belong to the venue, which may change limits and refusals.
        ...typedParametersOf(operation).flatMap((parameter) => effectCases(operation, parameter)),
      ]

const base = (operation: Operation, parameter: Parameter, family: string) => ({
  id: `${family}.${operation.id}.${parameter.name}`,
  ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
})

function missingCase(operation: Operation, parameter: Parameter): Case {
  const { name, place } = parameter
  return {
    ...base(operation, parameter, 'required'),
    title: `${operation.id} refuses a request without ${name}`,
    checks: requirementsOf(operation.id, 'required'),
    async run(probe: Probe) {
      const request = await firstExampleRequest(probe, operation)
      const rest = { ...(request[place as 'query' | 'body'] as object) } as Record<string, string>
      for (const spelling of spellings(parameter)) delete rest[spelling]
      const exchange = await probe.request({ ...request, [place]: rest })
      const words = isJsonObject(exchange.json) ? JSON.stringify(exchange.json) : exchange.text
      assertNoSuccess(probe, exchange, `${operation.id} refuses a request without ${name}`)
      assertAtMost(
        probe,
        exchange.status,
        499,
        `${operation.id} does not fail on it: ${exchange.status}`,
      )
      probe.assert(words.includes(name), `the refusal names ${name}`, {
        expected: `… ${name} …`,
        found: words,
      })
    },
  }
}

function valueCases(operation: Operation, parameter: Parameter): Case[] {
  const words = listedValues(parameter.schema)
  if (words.length === 0) return []
  const { id, refuses } = operation
  return [
    {
      ...base(operation, parameter, 'values'),
      title: `${id} serves every value of ${parameter.name}`,
      checks: requirementsOf(id, 'values'),
      async run(probe: Probe) {
        const requested = new TestedOperation(probe, operation)
        const refused: unknown[] = []
        for (const word of words)
          if (!isSuccess(await requested.withValue(parameter, word).exchange())) refused.push(word)
        if (refuses.length > 0 && refused.length === words.length)
          probe.skip('the target does not know the subject of the example')
        assertSame(probe, refused, [], `${id} serves ${parameter.name}=${refused.join(', ')}`)
      },
    },
  ]
}

/** The values of a set, or the ends of spans; none where others are accepted too. */
function listedValues(schema: TSchema): unknown[] {
  if (schema.enum) return schema.enum
  if (schema['x-span']) return schema['x-span']
  const branches = (schema.anyOf ?? []) as TSchema[]
  const isSet = branches.length > 0 && branches.every((branch) => branch.const !== undefined)
  if (isSet) return branches.map((branch) => branch.const)
  const { minimum, maximum } = schema
  const isFew = maximum !== undefined && maximum - minimum < FEW
  return isFew ? Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at) : []
}

/** Maximum size of a range of whole numbers that is listed. */
const FEW = 5

const spellings = ({ name, schema }: Parameter): string[] => [
  name,
  ...((schema['x-alias'] as string[] | undefined) ?? []),
]

// Effects of a parameter's values, by the table of effects.

/** The entry of a parameter in the table. */
const effectOf = ({ id }: Operation, parameter: Parameter): EffectEntry | undefined =>
  EFFECTS[id]?.[fullName(parameter)]

/** The case of a parameter with a derived effect. */
function effectCases(operation: Operation, parameter: Parameter): Case[] {
  const entry = effectOf(operation, parameter)
  if (entry === undefined || !('effect' in entry || 'listed' in entry)) return []
  const name = fullName(parameter)
  const { of } = parameter
  const example = of && operation.examples.find(({ body }) => isOfType(body, of.type))
  const effect = 'effect' in entry ? entry.effect : entry.listed
  return [
    {
      id: `effects.${operation.id}.${name}`,
      title: `${operation.id} answers by ${name}, and differently for another ${name}`,
      checks: checksOf(operation, entry.checks ?? []),
      ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
      run: (probe: Probe) => effect(new TestedOperation(probe, operation, {}, example), parameter),
    },
  ]
}

/** Requirements of the entry; else those of values, and of the operation. */
function checksOf({ id }: Operation, named: readonly string[]): string[] {
  const own = `operation.${id}`
  const known = REQUIREMENTS.some((requirement) => requirement.id === own) ? [own] : []
  return [...new Set([...named, ...requirementsOf(id, 'values'), ...known])]
}

// Lists in a request: each element is answered, and none beyond the contract's maximum.

/** The case of a truncated list of accounts or coins in a body. */
function batchCases(operation: Operation, parameter: Parameter): Case[] {
  const { name, place, schema } = parameter
  const max = schema['x-cut'] as number | undefined
  const of = SUBJECTS[name]
  // Lists of thousands have a case of their own.
  if (place !== 'body' || of === undefined || max === undefined || max > MOST) return []
  const { id } = operation
  const own = REQUIREMENTS.filter((requirement) => requirement.id === `operation.${id}`)
  return [
    {
      id: `batch.${id}.${name}`,
      title: isStated(parameter)
        ? `${id} reads the first ${max} of ${name}, each of them`
        : `${id} reads each of ${name}`,
      checks: [...new Set([...requirementsOf(id, 'limits'), ...own.map((one) => one.id)])],
      run: (probe: Probe) =>
        retryUntilHeld(probe, () =>
          flawOf(new TestedOperation(probe, operation), parameter, max, of),
        ),
    },
  ]
}

const MOST = 100

/** The contract states no maximum of other lists. */
const isStated = ({ name }: Parameter): boolean => name === 'addrs'

interface Subjects {
  /** Known ones of the target. */
  some: (probe: Probe) => Promise<readonly string[]>
  /** An unknown one for every number. */
  unknown: (at: number) => string
}

const ACCOUNTS: Subjects = {
  some: busyTraders,
  unknown: (at) => `0x${'f'.repeat(32)}${at.toString(16).padStart(8, '0')}`,
}

const SUBJECTS: Readonly<Record<string, Subjects>> = {
  addresses: ACCOUNTS,
  addrs: ACCOUNTS,
  coinKeys: {
    some: async () => ['bitcoin', 'ethereum', 'solana'],
    unknown: (at) => `no-such-coin-${at}`,
  },
}

async function flawOf(
  requested: TestedOperation,
  parameter: Parameter,
  max: number,
  { some, unknown }: Subjects,
): Promise<string | null> {
  const { operation } = requested
  const { name } = parameter
  const answered = async (given: readonly string[]) =>
    recordsIn(await requested.withValue(parameter, given).served()).map(namedIn)
  const known: string[] = []
  for (const one of (await some(requested.probe)).slice(0, SOME))
    if (known.length < 2 && (await answered([one])).includes(one)) known.push(one)
  const [first, last] = known
  if (first === undefined || last === undefined)
    requested.probe.skip('the target does not answer about two of its own')
  const others = (count: number) => Array.from({ length: count }, (_, at) => unknown(at))
  const both = await answered([first, last])
  if (!both.includes(first) || !both.includes(last))
    return `${operation.id} answers about both of two ${name}`
  if (!isStated(parameter)) return null
  if (!(await answered([...others(max - 1), last])).includes(last))
    return `${operation.id} reads ${max} of ${name}`
  const cut = await answered([first, ...others(max - 1), last])
  if (!cut.includes(first)) return `${operation.id} reads the first of ${max + 1} ${name}`
  return cut.includes(last) ? `${operation.id} reads no more than ${max} of ${name}` : null
}

/** Number of subjects, of which some have data. */
const SOME = 10

/** Subject of a row, in any spelling. */
const namedIn = (row: Readonly<Record<string, unknown>>): string =>
  String(row.address ?? row.Address ?? row.coinKey)

// Numbers of rows: exactly the requested number, where the target has more.

/** Cases of a parameter that counts rows: left out, small, at its maximum, and above. */
function limitCases(operation: Operation, parameter: Parameter): Case[] {
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
  const limited = new TestedOperation(probe, operation, WIDEST[operation.id])
    .with(given)
    .withValue(parameter, value)
  let there = 0
  await retryUntilHeld(probe, async () => {
    const rows = await limited.rows(new TestedOperation(probe, operation))
    const how = value === undefined ? 'left out' : `of ${value}`
    const found = `${rows.length} rows with ${parameter.name} ${how}`
    assertAtMost(probe, rows.length, bound, `${found} are at most ${bound}`)
    there = rows.length
    if (rows.length === bound) return bound === 2 ? judgeOne(limited, parameter) : null
    const proof =
      rows.length === ceiling
        ? 'several other requests have exactly as many'
        : await proofOfMore(limited, parameter, rows, bound)
    return proof === null ? null : `${found} are ${bound}, as there are more: ${proof}`
  })
  if (there < bound)
    probe.skip(`not judged: the target has only ${there} rows, which are fewer than ${bound}`)
}

/** Where there are two rows, a request for one gets one: few have three. */
async function judgeOne(limited: TestedOperation, parameter: Parameter): Promise<null> {
  const rows = await limited.withValue(parameter, 1).rows()
  const words = `${rows.length} rows with ${parameter.name} of 1 are at most 1`
  assertAtMost(limited.probe, rows.length, 1, words)
  return null
}

/** Evidence of more rows than were returned; null without any. */
async function proofOfMore(
  limited: TestedOperation,
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

/** Evidence by coins: single coins together have more rows than the response for all. */
async function proofByCoins(limited: TestedOperation, bound: number): Promise<string | null> {
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
  // Rows added meanwhile are among all present ones.
  const { length } = await ofAll.rows()
  return length < bound && sum > length ? `${coins.join(', ')} alone have ${sum}` : null
}

/** Number of coins whose rows are summed. */
const COINS_MAX = 3

/** Coin of a row in any of its forms (open). */
const coinOf = ({ coin, symbol, order }: JsonObject): string =>
  String(coin ?? symbol ?? (isJsonObject(order) ? order.coin : ''))

/** Where empty intervals are left out, fewer rows than requested may be all. */
async function isGapless(limited: TestedOperation, parameter: Parameter): Promise<boolean> {
  const times = (await limited.withValue(parameter, ROWS_OF_SERIES).rows()).map(timeOf)
  const known = times.filter((time) => time !== null).sort((a, b) => a - b)
  const gaps = known.slice(2, -1).map((time, at) => time - (known[at + 1] as number))
  return gaps.length > 5 && Math.min(...gaps) === Math.max(...gaps)
}

/** Enough to detect gaps. */
const ROWS_OF_SERIES = 100

/** Unstated by the contract: a service may choose its own. */
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
