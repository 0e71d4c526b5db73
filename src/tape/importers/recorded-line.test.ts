import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readEnvelope, recordedLines } from './recorded-line.ts'

const object = fc.record({
  channel: fc.constantFrom('trades', 'é€😀'),
  data: fc.oneof(fc.jsonValue(), fc.array(fc.record({ px: fc.nat().map(String) }))),
})
const clock = fc.constantFrom('', '1768478479216 ', '1768478479216123 ', '1768478479216123456 ')
const good = fc
  .tuple(clock, object, fc.constantFrom('', '\r', ' '))
  .map(([clock, value, end]) => `${clock}${JSON.stringify(value)}${end}`)
const ODD = [
  ...['', ' ', '{', '}', '{}{}', '{},{}', '{"a":', '1}', '[{"a":1}]', ' {"a":1}', '{"a":1}x', '7'],
  ...['123456789012 {}', '12345678901234567890 {}', '1768478479216  {}', '9999999999999 {}'],
  ...['2026-01-15T12:00:00Z {"a":1}', '{"event":"disconnect"}', '{"ts":1768478479216,"raw":"{}"}'],
]

/** Content of a line, or its flaw. */
function reported(line: Parameters<typeof readEnvelope>[0]): unknown {
  try {
    return readEnvelope(line)
  } catch (error) {
    return (error as Error).message
  }
}

const read = (lines: readonly string[]) => recordedLines(Buffer.from(lines.join('\n')), 'file', 1)

test('lines parsed together equal lines parsed singly', () => {
  const odd = fc.constantFrom(...ODD)
  const lines = fc.array(fc.oneof({ arbitrary: good, weight: 9 }, odd), { minLength: 1 })
  fc.assert(
    fc.property(lines, (lines) => {
      expect(read(lines).map(reported)).toEqual(lines.map(reported))
    }),
  )
})

test('text after an object in a line is not lost, wherever it is', () => {
  for (const line of ODD)
    for (const lines of [[line], ['{"a":1}', line], [line, '{"a":1}']])
      expect(read(lines).map(reported)).toEqual(lines.map(reported))
})

test('lines that are all objects are parsed together', () => {
  const lines = fc.array(good, { minLength: 1 })
  fc.assert(
    fc.property(lines, (lines) => {
      expect(read(lines).map((line) => typeof line)).toEqual(lines.map(() => 'object'))
    }),
  )
})

test('a line that is not UTF-8 is named, though it is an object', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":1}\n{"a":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ])
  expect(() => recordedLines(bytes, 'file', 5)).toThrow('file: line 6 is not UTF-8 text')
})
