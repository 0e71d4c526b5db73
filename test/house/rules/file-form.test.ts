import { expect, test } from 'bun:test'
import { formFindings } from './file-form.ts'
import { source } from './source-file.ts'

test('the length of a function is the code on its own lines', () => {
  const text = [
    'function a() {',
    '  // why',
    '  const b = () => {',
    '    c()',
    '  }',
    '',
    '  return {',
    '    d: 1,',
    '    e: { f: 2 },',
    '  }',
    '}',
    'const g = () => ({',
    '  h() {',
    '    i()',
    '  },',
    '})',
  ].join('\n')
  const lengths = source('src/a.ts', text).functions.map(({ start, lines }) => [
    text.slice(0, start).split('\n').length,
    lines,
  ])
  // The line of `return {` is folded into the one that ends the literal.
  expect(lengths).toEqual([
    [1, 3],
    [3, 2],
    [12, 2],
    [13, 2],
  ])
})

test('a function of more than 70 lines is found, and one with a long literal is not', () => {
  const of = (inside: string) => `export function a() {\n${inside}\n}`
  const calls = of('b()\n'.repeat(70))
  expect(formFindings([source('src/a.ts', calls)])).toEqual([
    'src/a.ts:1: a function of 71 lines, 70 at most',
  ])
  expect(formFindings([source('test/a.ts', calls)])).toEqual([])
  const fields = Array.from({ length: 90 }, (_, at) => `f${at}: ${at},`).join('\n')
  expect(formFindings([source('src/a.ts', of(`return {\n${fields}\n}`))])).toEqual([])
  const methods = Array.from({ length: 90 }, (_, at) => `f${at}() {},`).join('\n')
  expect(formFindings([source('src/a.ts', of(`return {\n${methods}\n}`))])).toHaveLength(1)
})

test('names, and lengths of files and of lines are checked', () => {
  const long = 'x\n'.repeat(501)
  expect(formFindings([source('src/clock/a-b.ts', 'x\n'.repeat(500))])).toEqual([])
  expect(formFindings([source('src/clock/a.ts', long)])).toHaveLength(1)
  expect(formFindings([source('src/clock/a.ts', long)], { 'src/clock/a.ts': 'why' })).toEqual([])
  expect(formFindings([source('src/clock/a.ts', 'y'.repeat(101))])).toHaveLength(1)
  for (const name of ['clockFace.ts', 'Clock.ts', 'utils.ts', 'common/a.ts', 'clock_face.ts'])
    expect(formFindings([source(`src/clock/${name}`, '')])).toHaveLength(1)
})
