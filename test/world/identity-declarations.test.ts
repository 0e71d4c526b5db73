/** Identities say what they join, and notice when one of these answers is altered. */
import { beforeAll, expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { factsAnswerer } from '../../src/contract/identities/facts-answers.ts'
import { type Identity, joinedBy, type Question } from '../../src/contract/identities/identity.ts'
import {
  ADDRESS_IDENTITIES,
  COIN_IDENTITIES,
  type Finding,
  reconciled,
} from '../../src/contract/identities.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { drawnAddresses } from '../fixtures/reconciled.ts'

const { sandbox, cast } = await recordedRegistry()
const facts = sandbox.facts()
const answer = factsAnswerer(facts)
// SOL, as an hour of BTC may have no liquidation.
const coins = ['BTC', 'SOL', 'xyz:TSLA', 'PURR/USDC']
const persons = [
  ...Object.values(cast().addresses),
  ...cast()
    .openPositions.slice(0, 8)
    .map(({ address }) => address),
  ...drawnAddresses(facts, coins, randomSource('1', 'declarations'), 40),
]
const ALL = [
  ...ADDRESS_IDENTITIES.map((identity) => ({ identity, subjects: persons })),
  ...COIN_IDENTITIES.map((identity) => ({ identity, subjects: coins })),
]

/** What an identity finds where the data of some answers is another. */
function findingsWith(
  identity: Identity,
  subject: string,
  alter: (data: unknown, question: Question) => unknown,
): Finding[] {
  const asking = reconciled(identity, subject)
  let step = asking.next()
  while (!step.done) {
    const question = step.value
    step = asking.next(question && alter(runToEnd(answer(question)), question))
  }
  return step.value
}

const nameOf = (question: Question): string => {
  if ('operation' in question) return String(question.operation)
  return 'channel' in question ? `/ws ${question.channel}` : question.type
}

/** Other data than was answered: its numbers made larger or smaller, or no rows at all. */
const ALTERATIONS: readonly ((data: unknown) => unknown)[] = [
  () => [],
  (data) => altered(data, (value) => value + 1),
  ...Array.from({ length: 24 }, (_, seed) => {
    const random = randomSource(`${seed}`, 'alterations')
    const change = (value: number) => value * random.pick([0.01, 1, 100])
    // With other times there may be nothing to compare.
    const isTime = (value: number) => seed % 2 === 0 && value > 1e12
    return (data: unknown) => altered(data, (value) => (isTime(value) ? value : change(value)))
  }),
]

function altered(value: unknown, change: (number: number) => number): unknown {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return change(Number(value)).toFixed(6)
  if (typeof value === 'number') return Math.round(change(value))
  if (Array.isArray(value)) return value.map((one) => altered(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, altered(inner, change)]),
  )
}

/** What only says where to look. */
const isDirectory = (name: string) =>
  ['perpDexs', 'coin.list', 'indicator.tradingPairs', 'spotMeta'].includes(name)

const questions = new Map<string, Set<string>>()

beforeAll(() => {
  for (const { identity, subjects } of ALL) {
    const names = new Set<string>()
    for (const subject of subjects)
      findingsWith(identity, subject, (data, question) => {
        names.add(nameOf(question))
        return data
      })
    questions.set(identity.id, names)
  }
})

test('more than forty identities are declared, each under its own name and sentence', () => {
  expect(ALL.length).toBeGreaterThan(70)
  expect(new Set(ALL.map(({ identity }) => identity.id)).size).toBe(ALL.length)
  expect(new Set(ALL.map(({ identity }) => identity.sentence)).size).toBe(ALL.length)
})

test('each says which answers it joins, all of them of the contract', () => {
  const known = new Set([
    ...VENUE_INFO_TYPES.map(({ type }) => type),
    ...OPERATIONS.map(({ id }) => id),
    ...CHANNELS.map(({ id }) => `/ws ${id}`),
  ])
  for (const { identity } of ALL) {
    const joined = joinedBy(identity)
    expect(joined.filter((name) => !known.has(name))).toEqual([])
    const put = [...(questions.get(identity.id) ?? [])].filter((name) => !isDirectory(name))
    expect([identity.id, put.sort()]).toEqual([
      identity.id,
      joined.filter((name) => !isDirectory(name)).sort(),
    ])
  }
})

test('each finds something to compare, and says so when an answer is altered', () => {
  const blind: string[] = []
  for (const { identity, subjects } of ALL) {
    const isNoticed = (name: string) =>
      subjects.some((subject) =>
        ALTERATIONS.some((alter) => {
          const found = attempt(() =>
            findingsWith(identity, subject, (data, question) =>
              nameOf(question) === name ? alter(data) : data,
            ),
          )
          return found?.some((one) => !one.holds) ?? false
        }),
      )
    if (!subjects.some((subject) => findingsWith(identity, subject, (data) => data).length > 0))
      blind.push(`${identity.id} compares nothing`)
    const joined = joinedBy(identity).filter((name) => !isDirectory(name))
    for (const name of joined)
      if (!isNoticed(name) && !DECIDES.has(`${identity.id} ${name}`))
        blind.push(`${identity.id} does not notice ${name}`)
  }
  expect(blind).toEqual([])
})

/** Answers that only say what can be compared, or that few accounts have rows of. */
const DECIDES = new Set([
  'drawdown perpdex.netFlow',
  'net-value userVaultEquities',
  'open-snapshots clearinghouseState',
  'completed-snapshots perpdex.completedTrades',
  'execution-prices clearinghouseState',
  'execution-prices perpdex.completedTrades',
  'coin-week webData2',
])

/** null where it cannot be reckoned with at all. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
