import { expect, test } from 'bun:test'
import { nearestName, unknownText } from './nearest-name.ts'

const COMMANDS = ['serve', 'cast', 'tape', 'conform', 'bench', 'completion']

test('a name with letters missing, added, changed or swapped is found', () => {
  for (const given of ['serv', 'evers', 'servee', 'sarve', 'sevre', 'SERVE'])
    expect([given, nearestName(given, COMMANDS)]).toEqual([given, 'serve'])
})

test('known names have any case', () => {
  const coins = ['ETH', 'BTC', 'kPEPE']
  expect(['BTCC', 'btc', 'KPEPPE'].map((given) => nearestName(given, coins))).toEqual([
    'BTC',
    'BTC',
    'kPEPE',
  ])
})

test('a name without a similar one has no suggestion', () => {
  for (const given of ['', 'x', 'nope', 'record', 'zzzzzzzz'])
    expect([given, nearestName(given, COMMANDS)]).toEqual([given, undefined])
})

test('the message has one suggestion, or all known names', () => {
  expect(unknownText('command', 'tpae', COMMANDS)).toBe(
    'there is no command "tpae", did you mean "tape"?',
  )
  expect(unknownText('tape', 'x', ['default', 'calm'])).toBe(
    'there is no tape "x", there are: default, calm',
  )
  expect(unknownText('tape', 'x', [])).toBe('there is no tape "x"')
})

test('a long name is cut in the message', () => {
  expect(unknownText('tape', 'x'.repeat(1e6), ['default'])).toHaveLength(139)
})
