/** Lies that are derived from the declarations, and what a run notices of them. */
import { expect, test } from 'bun:test'
import { allCases, rulesNamed } from '../../src/conformance/conform.ts'
import { negated, nudged } from '../../src/conformance/lies/answer-changes.ts'
import { drawnLies, LIES } from '../../src/conformance/lies/lies.ts'
import { FAMILIES, type Family } from '../../src/conformance/lies/lying-transport.ts'
import { selfTest, selfTestLines } from '../../src/conformance/self-test.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

test('there are hundreds of lies of their own, some of each family', () => {
  expect(new Set(LIES.map(({ id }) => id)).size).toBe(LIES.length)
  expect(LIES.length).toBeGreaterThan(500)
  for (const family of Object.keys(FAMILIES) as Family[])
    expect(LIES.filter((lie) => lie.family === family).length).toBeGreaterThan(50)
})

test('a draw has each family alike, and is the same for the same seed', () => {
  const drawn = drawnLies(7, 20)
  expect(drawn).toEqual(drawnLies(7, 20))
  expect(drawn).not.toEqual(drawnLies(8, 20))
  const families = drawn.map(({ family }) => family)
  for (const family of Object.keys(FAMILIES) as Family[])
    expect(families.filter((one) => one === family).length).toBe(5)
})

test('a changed figure keeps its form, and nothing stays nothing', () => {
  expect(['94756', '0.5', '-12.25', '0.0', 'BTC', 100, 7, 0].map(nudged)).toEqual([
    ...['95704', '0.6', '-12.13', '0.0', 'BTC', 101, 8, 0],
  ])
  expect(['94756', '-0.5', '0', 'BTC', 3, 0].map(negated)).toEqual([
    ...['-94756', '0.5', '0', 'BTC', -3, 0],
  ])
})

/** Cases for a few lies, so that the whole suite need not run. */
const CASES = [
  'sockets.minutes.together',
  'access.futures.fundingRateHistory.permission',
  'identities.coin.last-price',
]

const TRIED = [
  'between.perpdex.ticker.price: a hundredth more',
  'over-time.perpdex.openInterestHistory: a past row is another one when it is read again',
  'sockets.trades: one push in 5 is lost',
  'refusals.futures.fundingRateHistory.403: as plain words',
]

test('a run notices lies at a target, and says which not and what they need', async () => {
  const cases = allCases().filter(({ id }) => CASES.includes(id))
  const lies = LIES.filter(({ id, of }) => TRIED.includes(id) || of === 'content.newsList')
  const { registry, target, transport } = await memoryTarget()
  const place = { target, transport }
  const settings = { cases, rules: rulesNamed(), systemClock: futureSigning, nonce: 'lies' }
  const tried = await selfTest(place, { ...settings, lies })
  registry.close()
  expect(tried.missed).toEqual([])
  expect(tried.failing).toEqual([])
  expect(tried.noticed.map(({ lie }) => lie.id)).toEqual(TRIED)
  expect(tried.untried.map(({ lie }) => lie.of)).toContain('content.newsList')
  const lines = selfTestLines(tried)
  expect(lines[0]).toBe('on your data this run notices 100 % of these lies: 4 of 4')
  expect(lines).toContain('could not be tried, for want of data:')
})

test('what is tried and not noticed is listed with the data that it needs', () => {
  const [lie] = LIES
  if (!lie) throw new Error('there are no lies')
  const missed = [{ lie, noticedBy: null, message: '', changed: 3 }]
  expect(selfTestLines({ noticed: [], missed, untried: [], failing: [] })).toEqual([
    'on your data this run notices 0 % of these lies: 0 of 1',
    `  0 of 1 ${FAMILIES[lie.family]}`,
    'not noticed, and the data it would need:',
    `  ${lie.id}\n    needs ${lie.needs}`,
  ])
})
