import { expect, test } from 'bun:test'
import { lineDifferences } from './line-differences.ts'

test('a line that both have is told once, also between lines that differ', () => {
  const told = lineDifferences(
    ['{', 'status 401', 'code', 'data null', '}'],
    ['{', 'status 200', 'code', 'data', '}'],
  )
  expect(told).toEqual([
    '  {',
    '- status 401',
    '+ status 200',
    '  code',
    '- data null',
    '+ data',
    '  }',
  ])
})

test('far behind a thousand equal lines the one that differs is told', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `row ${at}`)
  const told = lineDifferences(rows, rows.toSpliced(997, 1, 'another'))
  expect(told).toEqual([
    '  … (994 lines that both have)',
    ...['  row 994', '  row 995', '  row 996', '- row 997', '+ another', '  row 998', '  row 999'],
  ])
})

test('a line that is missing moves no other', () => {
  expect(lineDifferences(['a', 'b', 'c'], ['a', 'c'])).toEqual(['  a', '- b', '  c'])
  expect(lineDifferences([], ['a'])).toEqual(['+ a'])
})

test('thousands of lines without one in common are told as they are', () => {
  const [one, other] = ['a', 'b'].map((of) => Array.from({ length: 2_000 }, (_, at) => of + at))
  expect(lineDifferences(one ?? [], other ?? [])).toHaveLength(4_000)
})
