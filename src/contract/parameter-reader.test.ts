import { expect, test } from 'bun:test'
import { hasRepeatable, readBody, readTextParameters } from './parameter-reader.ts'
import { LevelName } from './records/distributor.ts'
import { Coin, Nullable, NumberList, OneOf, TimeMsDigits, type TSchema, Type } from './schema.ts'

const IDS = Type.Object({
  ids: NumberList({ default: [1, 2], max: 3, alias: ['ids[]'] }, 'numbers'),
  name: Type.Optional(Type.String()),
})

test('a list of numbers is one text, the name repeated, or both', () => {
  for (const ids of ['4,5', ['4', '5'], ['4,5'], [' 4 ', '5,']])
    expect(readTextParameters(IDS, { ids })).toEqual({ ids: [4, 5] })
  expect(readTextParameters(IDS, { 'ids[]': ['4', '5'] })).toEqual({ ids: [4, 5] })
})

test('a list is cut silently, and has its default', () => {
  expect(readTextParameters(IDS, { ids: '1,2,3,4,x' })).toEqual({ ids: [1, 2, 3] })
  expect(readTextParameters(IDS, { ids: ['9', '8', '7', '6'] })).toEqual({ ids: [9, 8, 7] })
  for (const ids of [undefined, '', ['']])
    expect(readTextParameters(IDS, { ids })).toEqual({ ids: [1, 2] })
})

test('a list with an invalid element is refused by its name', () => {
  for (const ids of ['1,x', '1.5', ['1', 'x']])
    expect(readTextParameters(IDS, { ids })).toEqual({
      refused: 'invalid',
      parameter: 'ids',
      expected: 'an array, each item a whole number',
    })
})

test('the first value of any other repeated name counts', () => {
  expect(readTextParameters(IDS, { name: ['a', 'b'] })).toEqual({ ids: [1, 2], name: 'a' })
  expect(hasRepeatable(IDS)).toBe(true)
  expect(hasRepeatable(Type.Object({ name: Type.String() }))).toBe(false)
})

const expectedOf = (schema: TSchema, text: string) => {
  const read = readTextParameters(Type.Object({ it: schema }), { it: text })
  return 'expected' in read ? read.expected : null
}

test('a name longer than allowed is refused with its length', () => {
  expect(expectedOf(Coin(), 'x'.repeat(64))).toBe(null)
  expect(expectedOf(Coin(), 'x'.repeat(65))).toBe('text of 1 to 64 characters, not of 65')
  const level = '1 to 64 letters, digits, `_`, `.` and `-`'
  expect(expectedOf(LevelName, 'x'.repeat(70))).toBe(`${level}, not 70`)
  expect(expectedOf(LevelName, 'a b')).toBe(level)
  const inner = readBody(Type.Object({ list: Type.Array(Coin()) }), { list: ['a', 'b'.repeat(99)] })
  expect(inner).toEqual({
    refused: 'invalid',
    parameter: 'list.1',
    expected: 'text of 1 to 64 characters, not of 99',
  })
})

test('all listed values have one wording', () => {
  const literals = (...values: (string | number)[]) =>
    Type.Union(values.map((value) => Type.Literal(value)))
  expect(expectedOf(literals('cny', 'usd'), 'eur')).toBe('one of cny, usd')
  expect(expectedOf(OneOf(['cny', 'usd'], 'currency'), 'eur')).toBe('one of cny, usd')
  expect(expectedOf(literals(1, 7, 30), '2')).toBe('one of 1, 7, 30')
  expect(expectedOf(Nullable(literals(1, 2)), '3')).toBe('one of 1, 2 or null')
  expect(expectedOf(Type.Union([literals(1, 2), Type.Literal('x')]), '3')).toBe(
    'one of 1, 2 or "x"',
  )
})

test('an invalid instant in digits is refused with the valid form', () => {
  const wanted = 'a time in whole milliseconds since 1970, as digits'
  expect(expectedOf(TimeMsDigits(), 'abc')).toBe(wanted)
  expect(expectedOf(TimeMsDigits(), '12')).toBe(null)
})

test('a body with a field that looks like a refusal is none', () => {
  const open = Type.Object({ type: Type.String() }, { additionalProperties: true })
  const read = readBody(open, { type: 'meta', dex: '', refused: 'signature' })
  expect(read).toEqual({ type: 'meta', dex: '' })
})
