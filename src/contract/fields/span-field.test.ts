import { expect, test } from 'bun:test'
import { Type } from '../schema.ts'
import { readSpan, spanText } from '../span.ts'
import { checkFields, fieldSpanMs, SpanField } from './field-check.ts'

const schema = Type.Object({ for: SpanField('how long') })
const accepts = (text: string) => checkFields(schema, { for: text }, [])

test('a span in a file has as many digits as its unit needs', () => {
  for (const [text, lengthMs] of [
    ['0s', 0],
    ['3600000ms', 3_600_000],
    ['5184000s', 5_184_000_000],
    ['1440000m', 86_400_000_000],
    ['24000000h', 86_400_000_000_000],
    ['999999w', 604_799_395_200_000],
  ] as const) {
    accepts(text)
    expect(fieldSpanMs(text)).toBe(lengthMs)
  }
})

test('a span in a file beyond the bound is refused', () => {
  const refused = 'must be a span such as 10s, 500ms or 5m'
  for (const text of ['1000000w', '100000000000s', `${'9'.repeat(400)}ms`, '05s', '0m'])
    expect(() => accepts(text)).toThrow(refused)
})

test('a span of many digits is read and written exactly', () => {
  expect(readSpan('5184000s')).toBe(readSpan('60d'))
  expect(readSpan(`${'9'.repeat(400)}s`)).toBe(Number.POSITIVE_INFINITY)
  expect(spanText(5_184_001_000)).toBe('5184001s')
})
