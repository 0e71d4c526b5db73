/**
 * Each house rule against a file that violates it and one that follows it: every rule must be able
 * to fail.
 */
import { expect, test } from 'bun:test'
import { banFindings } from './banned-calls.ts'
import { deadFindings } from './dead-files.ts'
import { channelFile, operationFile, unlistedFindings } from './declaration-lists.ts'
import { source } from './source-file.ts'

test.each([
  'Date.now()',
  'new Date()',
  'new Date',
  'Date()',
  'performance.now()',
  'setTimeout(f, 1)',
  'setInterval(f, 1)',
  'await Bun.sleep(1)',
  'Math.random()',
  'crypto.randomUUID()',
  'process.env.HOME',
  'await fetch(url)',
  'Object.assign(this, { a: 1 })',
  'class A { b!: string }',
  'if (known.size >= KEPT) known.clear()',
  '// TODO later',
])('%s is banned', (code) => {
  expect(banFindings([source('src/sandbox/session/a.ts', code)])).toHaveLength(1)
})

test.each([
  'new Date(timeMs)',
  'type A = Date',
  "'Date.now()'",
  '// not Math.random()',
  'server.fetch(request)',
  'clearTimeout(handle)',
  'Object.assign(other, this)',
  'class A { b?: string }',
  'if (!a) b = c ? !d : e',
])('%s is allowed', (code) => {
  expect(banFindings([source('src/sandbox/session/a.ts', code)])).toEqual([])
})

test('a ban names the alternative, and an exemption with a reason lifts it', () => {
  expect(banFindings([source('src/sandbox/session/a.ts', '\nMath.random()')])).toEqual([
    'src/sandbox/session/a.ts:2: Math.random is banned, ' +
      'use RandomSource of src/random/random-source.ts',
  ])
  expect(banFindings([source('src/clock/system-clock.ts', 'performance.now()')])).toEqual([])
})

test('a file that nothing leads to is found', () => {
  const main = source('src/main.ts', "import './a.ts'")
  const reached = source('src/a.ts', "import './b.ts'")
  const files = [main, reached, source('src/b.ts', ''), source('src/c.ts', "import './b.ts'")]
  expect(deadFindings(files)).toEqual([
    'src/c.ts is dead: nothing imports it, wire it in or remove it',
  ])
})

test('a declaration that is not listed is found', () => {
  const list = source('src/contract/operations/coin.ts', "import { a } from './coin/a.ts'")
  const listed = source('src/contract/operations/coin/a.ts', '')
  expect(unlistedFindings([list, listed])).toEqual([])
  const forgotten = source('src/contract/channels/b.ts', '')
  expect(unlistedFindings([list, listed, forgotten])).toHaveLength(1)
})

test('an id names its file', () => {
  expect(operationFile('perpdex.fillsOfAddress')).toBe(
    'src/contract/operations/perpdex/fills-of-address.ts',
  )
  expect(channelFile('l2Book')).toBe('src/contract/channels/l2-book.ts')
})
