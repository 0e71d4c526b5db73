import { expect, test } from 'bun:test'
import { nearestName, unknownText } from './nearest-name.ts'

const COMMANDS = ['serve', 'cast', 'tape', 'conform', 'bench', 'completion']

test('a name with letters missing, added, changed or swapped is found', () => {
  for (const given of ['serv', 'evers', 'servee', 'sarve', 'sevre', 'SERVE'])
    expect([given, nearestName(given, COMMANDS)]).toEqual([given, 'serve'])
})

test('a name that is like none is not guessed at', () => {
  for (const given of ['', 'x', 'nope', 'record', 'zzzzzzzz'])
    expect([given, nearestName(given, COMMANDS)]).toEqual([given, undefined])
})

test('what is said is one question, or all that there is', () => {
  expect(unknownText('command', 'tpae', COMMANDS)).toBe(
    'there is no command "tpae", did you mean "tape"?',
  )
  expect(unknownText('tape', 'x', ['default', 'calm'])).toBe(
    'there is no tape "x", there are: default, calm',
  )
  expect(unknownText('tape', 'x', [])).toBe('there is no tape "x"')
})

test('a name of any length is answered with a part of it', () => {
  expect(unknownText('tape', 'x'.repeat(1e6), ['default'])).toHaveLength(139)
})
