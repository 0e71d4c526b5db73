import { expect, test } from 'bun:test'
import { parseScenario } from './scenario-parser.ts'
import { type FaultSubject, ruleSpanMs, ScenarioRun } from './scenario-run.ts'

const REQUEST: FaultSubject = {
  operations: ['perpdex.tickers'],
  channels: [],
  key: 'demo',
  coins: ['BTC'],
  addresses: ['0xAB'],
}

/** The requests on which a rule acts, of so many a second apart. */
function acts(
  rule: object,
  count: number,
  subject: Partial<FaultSubject> = {},
  others: object[] = [],
) {
  const scenario = parseScenario({
    title: 'one',
    rules: [...others, { name: 'r', do: 'empty', ...rule }],
  })
  const run = new ScenarioRun(scenario, { sessionMs: 1_000, tapeMs: 50 })
  return Array.from({ length: count }, (_, second) => {
    const now = { sessionMs: 1_000 + second * 1_000, tapeMs: 50 + second * 10_000 }
    const found = run.activeRules(() => true, { ...REQUEST, ...subject }, now)
    return found.some((one) => one.rule.name === 'r') ? second : null
  }).filter((second) => second !== null)
}

test('a rule begins, lasts, and begins again', () => {
  expect(acts({}, 4)).toEqual([0, 1, 2, 3])
  expect(acts({ from: '2s' }, 4)).toEqual([2, 3])
  expect(acts({ from: '1s', for: '2s' }, 5)).toEqual([1, 2])
  expect(acts({ from: '1s', for: '1s', every: '3s' }, 9)).toEqual([1, 4, 7])
  expect(acts({ from: '20s', for: '10s', time: 'tape' }, 5)).toEqual([2])
})

test('a rule counts matches', () => {
  expect(acts({ on: { nth: 3 } }, 6)).toEqual([2])
  expect(acts({ on: { nth: [1, 4] } }, 6)).toEqual([0, 3])
  expect(acts({ on: { everyNth: 2 } }, 6)).toEqual([1, 3, 5])
  expect(acts({ times: 2 }, 6)).toEqual([0, 1])
  expect(acts({ from: '2s', on: { nth: 1 } }, 6)).toEqual([2])
})

test('a rule matches by name, in any case, with a star at the end', () => {
  expect(acts({ on: { operation: 'perpdex.*', coin: 'btc' } }, 1)).toEqual([0])
  expect(acts({ on: { operation: ['coin.list', 'perpdex.tickers'] } }, 1)).toEqual([0])
  expect(acts({ on: { operation: 'perpdex.ticker' } }, 1)).toEqual([])
  expect(acts({ on: { address: '0xab', key: 'demo' } }, 1)).toEqual([0])
  expect(acts({ on: { channel: '*' } }, 1)).toEqual([])
  expect(acts({ on: { channel: 'l2*' } }, 1, { operations: [], channels: ['l2Book'] })).toEqual([0])
  expect(acts({ on: { operation: '*' } }, 1, { operations: [], channels: ['l2Book'] })).toEqual([])
})

test('random choices are seeded, and one more rule does not shift them', () => {
  const alone = acts({ on: { probability: 0.4 } }, 200)
  expect([alone.length > 50, alone.length < 110]).toEqual([true, true])
  expect(acts({ on: { probability: 0.4 } }, 200)).toEqual(alone)
  const other = { name: 'other', on: { probability: 0.5 }, do: 'empty' }
  expect(acts({ on: { probability: 0.4 } }, 200, {}, [other])).toEqual(alone)
})

test('nor the choices of one without a name, nor those of an equal one', () => {
  const unnamed = { on: { probability: 0.4 }, do: 'empty' }
  const chosen = (rules: object[], which: number) => {
    const scenario = parseScenario({ title: 'one', rules })
    const run = new ScenarioRun(scenario, { sessionMs: 0, tapeMs: 0 })
    const now = { sessionMs: 0, tapeMs: 0 }
    return Array.from({ length: 100 }, () =>
      run.activeRules(() => true, REQUEST, now).some(({ rule }) => rule === scenario.rules[which]),
    )
  }
  const alone = chosen([unnamed], 0)
  expect(chosen([{ do: 'shuffle' }, unnamed], 1)).toEqual(alone)
  expect(chosen([unnamed, unnamed], 1)).not.toEqual(alone)
})

test('lengths are spans, down to milliseconds', () => {
  expect(['0s', '250ms', '2m', undefined].map(ruleSpanMs)).toEqual([0, 250, 120_000, 0])
})
