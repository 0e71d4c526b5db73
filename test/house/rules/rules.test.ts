/**
 * Each house rule against a file that violates it and one that follows it: every rule must be able
 * to fail.
 */
import { expect, test } from 'bun:test'
import { banFindings } from './banned-calls.ts'
import { deadFindings } from './dead-files.ts'
import { channelFile, operationFile, unlistedFindings } from './declaration-lists.ts'
import { cycleFindings } from './import-cycles.ts'
import { layerFindings } from './layers.ts'
import { packageFindings } from './package-homes.ts'
import { source } from './source-file.ts'

test('an import from a lower module to a higher one is found', () => {
  const low = source('src/contract/a.ts', "import type { B } from '../market/index.ts'")
  expect(layerFindings([low])).toEqual([
    'src/contract/a.ts imports src/market/index.ts: ' +
      'contract imports only clock, decimal, platform, random',
  ])
  const high = source('src/market/b.ts', "import { a } from '../contract/index.ts'")
  expect(layerFindings([high])).toEqual([])
})

test('records that are more than schemas are found', () => {
  const text = "import { Type } from '../schema.ts'\nimport type { Facts } from '../facts.ts'"
  const finding =
    'src/contract/records/a.ts imports src/contract/facts.ts: ' +
    'records are schemas, what uses them stands elsewhere'
  expect(layerFindings([source('src/contract/records/a.ts', text)])).toEqual([finding])
  expect(layerFindings([source('src/contract/answering/a.ts', text)])).toEqual([])
})

test('files that import one another are found, over others and by types of another module', () => {
  const a = source('src/a.ts', "import { B } from './b.ts'")
  const b = source('src/b.ts', "import { c } from './c.ts'\nimport { d } from './d.ts'")
  const c = source('src/c.ts', "export { a } from './a.ts'")
  const d = source('src/d.ts', "import { e } from './e.ts'")
  const e = source('src/e.ts', '')
  expect(cycleFindings([a, b, c, d, e])).toEqual([
    'src/a.ts, src/b.ts, src/c.ts import one another: move what they share to one of them, ' +
      'or take the narrow interface that is needed',
  ])
  expect(cycleFindings([a, b, d, e])).toEqual([])
  expect(cycleFindings([source('src/a.ts', "import { a } from './a.ts'")])).toHaveLength(1)
  const far = source('src/x/a.ts', "import type { B } from '../y/b.ts'")
  const back = source('src/y/b.ts', "import { a } from '../x/a.ts'")
  expect(cycleFindings([far, back])).toHaveLength(1)
})

test("files of one module may import one another's types", () => {
  const a = source('src/x/y/a.ts', "import type { B } from '../b.ts'")
  const b = source('src/x/b.ts', "import { a } from './y/a.ts'")
  expect(cycleFindings([a, b])).toEqual([])
})

test('two cycles are two findings', () => {
  const pair = (one: string, other: string) => [
    source(`src/${one}.ts`, `import { A } from './${other}.ts'`),
    source(`src/${other}.ts`, `import { B } from './${one}.ts'`),
  ]
  expect(cycleFindings([...pair('a', 'b'), ...pair('c', 'd')])).toHaveLength(2)
})

test('an unlisted module is found', () => {
  expect(layerFindings([source('src/attic/a.ts', '')])).toHaveLength(1)
})

test('a package outside its home is found', () => {
  const text = "import { Elysia } from 'elysia'\nimport { eq } from 'drizzle-orm/sqlite-core'"
  expect(packageFindings([source('src/sandbox/session/a.ts', text)])).toHaveLength(2)
  expect(packageFindings([source('src/server/transport/elysia/a.ts', text)])).toHaveLength(1)
})

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
