import { expect, test } from 'bun:test'
import { locationOf, source } from './source-file.ts'

const codeOf = (text: string) => source('src/a.ts', text).code

test('comments and strings are blanked, code in templates is not', () => {
  const text = `a('b') // c\n/* d\n */ \`e\${f('g')}h\` / i /* j */ / k`
  expect(codeOf(text)).toBe(`a(' ')     \n    \n    \` \${f(' ')} \` / i         / k`)
})

test('a slash after a value divides, elsewhere it opens a pattern', () => {
  expect(codeOf("x = a / b / c // '")).toBe('x = a / b / c     ')
  expect(codeOf("x = /['/]/.test(y)")).toBe('x = /    /.test(y)')
})

test('an escaped quote does not end a string', () => {
  expect(codeOf(String.raw`'\'a' + b`)).toBe("'   ' + b")
})

test('places are counted in lines', () => {
  expect(locationOf(source('src/a.ts', 'one\ntwo\nthree'), 5)).toBe('src/a.ts:2')
})

test('imports of types are seen, and those in comments are not', () => {
  const text =
    "import type { A } from './a.ts'\n// import './b.ts'\nexport const c = import('../c.ts')"
  expect(source('src/clock/x.ts', text).imports.sort()).toEqual(['src/c.ts', 'src/clock/a.ts'])
})

test('every form of import is seen, and a text that reads like one is not', () => {
  const text = [
    "export * from './a.ts'",
    "export type { B } from './b.ts'",
    "type C = import('./c.ts').C",
    "const d = require('./d.ts')",
    "const e = 'import \\'./e.ts\\''",
  ].join('\n')
  const seen = source('src/clock/x.ts', text).imports.sort()
  expect(seen).toEqual(['a', 'b', 'c', 'd'].map((name) => `src/clock/${name}.ts`))
})

test('an unparsable file is not skipped', () => {
  expect(() => source('src/clock/x.ts', 'const = 1')).toThrow('src/clock/x.ts cannot be read')
})
