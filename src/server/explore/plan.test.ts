import { expect, test } from 'bun:test'
import { checkFit, LEVELS, type Plan, parsePlan, planText } from './plan.ts'
import { drawPlan } from './plan-drawing.ts'

const WORLD = { id: 'made/1', coins: ['BTC', 'ETH', 'SOL'] }
const SEEDS = Array.from({ length: 150 }, (_, seed) => seed)
const drawn = (seed: number, level: Plan['level'] = 'violent', lengthMs = 45_000) =>
  drawPlan({ seed, level, lengthMs }, WORLD)

test('a seed gives the same plan, and another seed another one', () => {
  expect(drawn(7)).toEqual(drawn(7))
  expect(new Set(SEEDS.map((seed) => planText(drawn(seed)))).size).toBe(SEEDS.length)
})

test('every drawn plan can be carried out, and is read back as it is', () => {
  for (const level of LEVELS)
    for (const seed of SEEDS) {
      const plan = drawn(seed, level)
      expect(parsePlan('plan.yaml', planText(plan))).toEqual(plan)
      checkFit(plan, WORLD)
    }
})

test('a higher level does more, and only it does what breaks data', () => {
  const counts = LEVELS.map((level) =>
    SEEDS.reduce((sum, seed) => sum + drawn(seed, level).actions.length, 0),
  )
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  const broken = LEVELS.map((level) =>
    SEEDS.some((seed) => planText(drawn(seed, level)).includes('crossed-book')),
  )
  expect(broken).toEqual([false, false, true])
})

test('actions that hide one another do not overlap', () => {
  for (const seed of SEEDS) {
    const { actions } = drawn(seed)
    const markets = actions.filter(({ market }) => market !== undefined)
    const times = markets.map(({ at }) => Number.parseFloat(at))
    expect(new Set(times).size).toBe(times.length)
    const keys = actions.filter(({ key }) => key !== undefined)
    for (const [at, one] of keys.entries())
      for (const other of keys.slice(at + 1))
        expect(msOf(one.at) + msOf(one.for ?? '0s')).toBeLessThanOrEqual(msOf(other.at))
  }
})

const msOf = (text: string) =>
  text.endsWith('ms') ? Number(text.slice(0, -2)) : 1000 * Number(text.slice(0, -1))

const PLAN = `format: 1
length: 20s
actions:
  - at: 5s
    fault: freze
  - at: 3s
    for: 2s
    fault: {disconnect: {code: 99}}
  - at: 30s
    jump: 5s
  - at: 4s
  - at: 4s
    seek: 5s
    on: {coin: BTC}
  - at: 6s
    market: {kind: move, coin: BTC, pct: 0, overS: 5}
  - at: 6s
    questions: {over-rat: none}
  - at: 7s
    fault: silence
    on: {operation: perpdex.tickers}
`

test('each flaw of a plan is reported with its line, and what would be right', () => {
  expect(() => parsePlan('mine.yaml', PLAN)).toThrow()
  const lines = messageOf(() => parsePlan('mine.yaml', PLAN)).split('\n')
  expect(lines.map((line) => line.split(':')[1])).toEqual([
    '4',
    '6',
    '9',
    '11',
    '14',
    '16',
    '17',
    '19',
  ])
  expect(lines[0]).toContain('names no fault "freze"; there are')
  expect(lines[1]).toContain('disconnect.code')
  expect(lines[2]).toContain('is 30s, and the plan ends at 20s')
  expect(lines[3]).toContain('does nothing: it needs one of fault, market')
  expect(lines[4]).toContain('is of faults, and this action is of kind seek')
  expect(lines[6]).toContain('over-rate')
  expect(lines[7]).toContain('silence acts on sockets: use channel')
})

test('a plan of another format and a plan of unknown coins say what would fit', () => {
  expect(() => parsePlan('mine.yaml', 'format: 9\nlength: 1s\nactions: []\n')).toThrow(
    'mine.yaml:1: format is 9: this version of Tapewright reads 1',
  )
  const text =
    'format: 1\nworld: other/2\nlength: 9s\nactions:\n' +
    '  - {at: 1s, market: {kind: halt, coin: BTX, forS: 5}}\n'
  const message = messageOf(() => checkFit(parsePlan('mine.yaml', text), WORLD))
  expect(message).toContain('actions.0')
  expect(message).toContain('BTC')
  expect(message).toContain('drawn for the world other/2, this is made/1')
})

const messageOf = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
