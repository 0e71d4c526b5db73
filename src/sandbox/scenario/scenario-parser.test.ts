import { expect, test } from 'bun:test'
import { parseScenario, parseScenarioYaml } from './scenario-parser.ts'

/** The error of an invalid scenario. */
function errorMessage(text: string): string {
  try {
    parseScenarioYaml('mine', 'mine.yaml', text)
  } catch (error) {
    return (error as Error).message
  }
  return 'fine'
}

test('an error has file, line and field', () => {
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

test('invalid YAML, and YAML that is no scenario', () => {
  expect(errorMessage('title: "open\nrules: []')).toMatch(/^mine\.yaml:\d+: Missing closing "quote/)
  expect(errorMessage('')).toStartWith('mine.yaml:1: the scenario must be an object with title')
  expect(errorMessage('- 1\n- 2\n')).toStartWith(
    'mine.yaml:1: the scenario must be an object with title',
  )
  expect(errorMessage('title: Mine\nquestions: {nonce: x}\nrules: []\n')).toStartWith(
    'mine.yaml:2: questions.nonce is wrong: there is no open question "nonce"',
  )
})

test('a scenario from a call is read in the same way', () => {
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

/** The errors of rules, each without its file and line. */
const ruleErrors = (rules: object[]): string[] => {
  try {
    parseScenario({ title: 'Mine', rules })
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace('scenario: ', ''))
  }
  return []
}

test('all errors are reported at once, each with its line', () => {
  const text = `title: 7
rules:
  - do: {delay: {}}
  - on: {channel: l2Boook}
    do: {delay: {min: 5, max: 1}}
    every: soon
`
  expect(errorMessage(text).split('\n')).toEqual([
    'mine.yaml:1: title is wrong: expected string, not 7 (short description)',
    'mine.yaml:3: rules.0.do.delay needs ms, or min and max, or mean',
    'mine.yaml:6: rules.1.every must be a span such as 10s, 500ms or 5m ' +
      '(period: the rule begins again after each)',
    'mine.yaml:5: rules.1.do.delay has a min of 5 above its max of 1',
  ])
})

test('unknown names are refused, with the nearest known one', () => {
  const on = (selector: object, fault: unknown = 'truncate') =>
    ruleErrors([{ on: selector, do: fault }])
  expect(on({ operation: 'perpdex.tickrs' })).toEqual([
    'rules.0.on.operation is wrong: there is no operation "perpdex.tickrs", ' +
      'did you mean "perpdex.tickers"?',
  ])
  expect(on({ channel: 'l2Boook' }, 'silence')[0]).toEndWith('did you mean "l2Book"?')
  expect(on({ refused: 'signatur' })[0]).toEndWith('did you mean "signature"?')
  expect(on({ operation: ['coin.*', 'nowhere.*'] })[0]).toStartWith(
    'rules.0.on.operation is wrong: there is no operation "nowhere.*"',
  )
  expect(on({ operation: ['coin.*', 'PERPDEX.tickers'] })).toEqual([])
})

test('a rule that could never act is refused', () => {
  const clashes: [on: object, fault: unknown, field: string][] = [
    [{ operation: '*' }, 'silence', 'operation'],
    [{ operation: '*' }, 'disconnect', 'operation'],
    [{ operation: '*' }, 'back-pressure', 'operation'],
    [{ operation: '*', channel: '*' }, { delay: { ms: 1 } }, 'channel'],
    [{ channel: '*' }, 'truncate', 'channel'],
    [{ channel: '*' }, { 'remaining-quota': { requests: 1 } }, 'channel'],
    [{ channel: '*', coin: 'BTC' }, { refuse: { as: 'rate' } }, 'coin'],
    [{ coin: 'BTC' }, 'disconnect', 'coin'],
    [{ refused: 'rate' }, 'empty', 'refused'],
    [{ everyNth: 2 }, 'back-pressure', 'everyNth'],
  ]
  for (const [on, fault, field] of clashes)
    expect(ruleErrors([{ on, do: fault }])).toEqual([
      expect.stringMatching(new RegExp(`^rules\\.0\\.on\\.${field} `)),
    ])
})

test('contradictions are refused', () => {
  const error = (rule: object) => ruleErrors([rule])[0]
  expect(error({ every: '0s', do: 'silence' })).toBe('rules.0.every must be above 0')
  expect(error({ for: '0s', do: 'silence' })).toBe('rules.0.for must be above 0')
  expect(error({ do: { delay: { ms: 1, mean: 2 } } })).toStartWith('rules.0.do.delay is ms, or')
  expect(error({ do: { refuse: { as: 'rate', status: 400 } } })).toBe(
    'rules.0.do.refuse has as, which says status and body, and status: leave one of them out',
  )
  const same = { name: 'same', do: 'silence' }
  expect(ruleErrors([same, { do: 'silence' }, same])).toEqual([
    'rules.2.name is "same", as is that of rules.0',
  ])
  // Together with all other errors of the rules.
  expect(ruleErrors([same, { ...same, every: '0s' }])).toEqual([
    'rules.1.every must be above 0',
    'rules.1.name is "same", as is that of rules.0',
  ])
})

test('the valid values of a field are described', () => {
  expect(ruleErrors([{ on: { coin: 5 }, do: 'silence' }])).toEqual([
    'rules.0.on.coin must be a string of at most 200 characters or a list of at most 100 strings ' +
      '(coin, symbol or coin key that is requested or pushed)',
  ])
  expect(ruleErrors([{ time: 'soon', do: 'silence' }])[0]).toStartWith(
    'rules.0.time must be one of session, tape',
  )
  expect(ruleErrors([{ do: { corrupt: { as: 'xml' } } }])[0]).toBe(
    'rules.0.do.corrupt.as must be one of json, html, type, nothing, null (what it becomes)',
  )
})

test('a file that is nested too deep or repeats a key is refused in a line', () => {
  expect(errorMessage(`title: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toMatch(
    /^mine\.yaml(:\d+)?: .*(deep|nested)/,
  )
  expect(errorMessage('title: a\ntitle: b\nrules: []')).toBe('mine.yaml:2: Map keys must be unique')
})
