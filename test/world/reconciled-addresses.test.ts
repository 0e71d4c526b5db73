/** All identities of accounts, for addresses that the stream of trades names. */
import { expect, test } from 'bun:test'
import { isSlices, runToEnd, type Slices } from '../../src/clock/turns.ts'
import type { Facts } from '../../src/contract/facts.ts'
import { IDENTITIES, reconciled } from '../../src/contract/identities.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { infoAnswerer } from '../../src/contract/info/info-answerer.ts'
import type { Trade } from '../../src/contract/records/fill.ts'
import { isRefusal } from '../../src/contract/refusal.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const { sandbox, cast } = await recordedRegistry({ epoch: 'live' })
const answerOf = infoAnswerer(VENUE_INFO_TYPES)
const random = randomSource('1', 'drawn addresses')

function ask(facts: Facts, body: { type: string }): unknown {
  const given = answerOf(body, facts)
  const answer = isSlices(given) ? runToEnd(given as Slices<unknown>) : given
  if (isRefusal(answer)) throw new Error(`${JSON.stringify(body)} is refused`)
  return answer
}

/** What does not hold, of all identities. */
function flaws(facts: Facts, address: string): string[] {
  return IDENTITIES.flatMap((identity) => {
    const asking = reconciled(identity, address)
    let step = asking.next()
    while (!step.done) step = asking.next(step.value && ask(facts, step.value))
    return step.value
      .filter((one) => !one.holds)
      .map(({ of, left, right }) => `${identity.id} of ${address}: ${of}: ${left} and ${right}`)
  })
}

/** Traders of the latest trades of each coin, and who was liquidated. */
function drawn(facts: Facts, count: number): string[] {
  const named = cast().coins.flatMap((coin) => [
    ...(ask(facts, { type: 'recentTrades', coin } as never) as Trade[]).flatMap(
      ({ users }) => users,
    ),
  ])
  const liquidated = cast()
    .coins.filter((coin) => !coin.includes('/'))
    .flatMap((coin) => facts.liquidations.topPositions({ coin, interval: '30d', limit: 60 }))
    .map(({ address }) => address)
  const pick = (all: readonly string[]) =>
    Array.from({ length: count }, () => random.pick([...new Set(all)]))
  return [...new Set([...pick(named), ...pick(liquidated)])]
}

test('every identity holds for addresses drawn at random, of the crowd above all', async () => {
  let tried = 0
  for (const laterMs of [20_000, 840_000, 900_000]) {
    await sandbox.clock.advance(laterMs)
    const facts = sandbox.facts()
    for (const address of drawn(facts, 60)) {
      expect(flaws(facts, address)).toEqual([])
      tried++
    }
  }
  expect(tried).toBeGreaterThan(250)
})

test('every identity holds for the personas of the cast', () => {
  const facts = sandbox.facts()
  const found = Object.values(cast().addresses).flatMap((address) => flaws(facts, address))
  expect(found).toEqual([])
})
