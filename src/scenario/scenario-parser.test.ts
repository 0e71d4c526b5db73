import { expect, test } from 'bun:test'
import { parseScenario, parseScenarioYaml } from './scenario-parser.ts'

/** The error for a text that is no scenario. */
function errorMessage(text: string): string {
  try {
    parseScenarioYaml('mine', 'mine.yaml', text)
  } catch (error) {
    return (error as Error).message
  }
  return 'fine'
}

test('what is wrong is said with file, line and field', () => {
  const rules = (rule: string) => `title: Mine\nrules:\n  - name: first\n${rule}`
  expect(errorMessage(rules('    do: silence\n'))).toBe('fine')
  expect(errorMessage(rules('    do: sulk\n'))).toStartWith(
    'mine.yaml:4: rules.0.do names no fault "sulk"; there are delay, refuse,',
  )
  expect(errorMessage(rules('    do: {delay: {ms: soon}}\n'))).toBe(
    'mine.yaml:4: rules.0.do.delay.ms is wrong: expected number (a fixed time, ms)',
  )
  expect(errorMessage(rules('    on: {coin: BTC}\n    colour: red\n    do: silence\n'))).toBe(
    'mine.yaml:5: rules.0.colour is wrong: there is no "colour"; ' +
      'use name, on, from, for, every, time, times, do',
  )
  expect(errorMessage(rules('    from: soon\n    do: silence\n'))).toStartWith(
    'mine.yaml:4: rules.0.from must be a span such as 10s, 500ms or 5m',
  )
  expect(errorMessage(rules('    on: {probability: 2}\n    do: silence\n'))).toStartWith(
    'mine.yaml:4: rules.0.on.probability is wrong',
  )
  expect(errorMessage('rules: []\n')).toStartWith('mine.yaml:1: title is missing')
  expect(errorMessage(rules('    do: {lose-pushes: {}}\n'))).toStartWith(
    'mine.yaml:4: rules.0.do.lose-pushes.count',
  )
  expect(
    errorMessage('title: Mine\nrules:\n  - do: {silence: {}, lose-pushes: {count: 1}}\n'),
  ).toStartWith('mine.yaml:3: rules.0.do must be one fault')
})

test('text that is no YAML, and YAML that is no scenario', () => {
  expect(errorMessage('title: "open\nrules: []')).toMatch(/^mine\.yaml:\d+: Missing closing "quote/)
  expect(errorMessage('')).toStartWith('mine.yaml:1: the scenario is wrong')
  expect(errorMessage('- 1\n- 2\n')).toStartWith('mine.yaml:1: the scenario is wrong')
  expect(errorMessage('title: Mine\nquestions: {nonce: x}\nrules: []\n')).toStartWith(
    'mine.yaml:2: questions no open question "nonce"',
  )
})

test('one that is handed in is read in the same way', () => {
  const given = {
    title: 'Mine',
    rules: [{ do: 'silence' }, { name: 'late', do: { delay: { ms: 5 } } }],
  }
  const { rules } = parseScenario(given)
  expect(rules.map(({ name, fault }) => [name, fault.name])).toEqual([
    ['1 silence', 'silence'],
    ['late', 'delay'],
  ])
  expect(() => parseScenario({ title: 'Mine', rules: [{ do: 7 }] })).toThrow(
    'scenario: rules.0.do must be one fault',
  )
})
