import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { LineBytes } from './line-bytes.ts'
import type { EventDraft } from './tape-event.ts'

const text = () => fc.string({ unit: 'binary' })
const number = () => fc.oneof(fc.nat(), fc.maxSafeNat(), fc.double(), fc.maxSafeInteger())
const value = () => fc.oneof(text(), number(), fc.constant(undefined), fc.jsonValue())
const event = fc.record({
  time: fc.maxSafeNat(),
  kind: fc.constantFrom('trade', 'frame'),
  coin: text(),
  data: fc.dictionary(text(), value()),
})

test('events are the bytes of their JSON, and its characters are counted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.maxSafeNat(), text())), (reported) => {
      const lines = new LineBytes()
      let expected = ''
      for (const [{ time, kind, coin, data }, seq, after] of reported) {
        lines.event({ time, kind, coin, data } as unknown as EventDraft, seq)
        lines.text(after)
        expected += `${JSON.stringify({ time, seq, kind, coin, data })}\n${after}`
      }
      expect(Buffer.from(lines.written()).toString()).toBe(Buffer.from(expected).toString())
      expect(lines.chars).toBe(expected.length)
      lines.clear()
      expect([lines.written().length, lines.chars]).toEqual([0, 0])
    }),
  )
})

test('a number has its digits, however many they are', () => {
  for (let digits = 1; digits <= 17; digits++)
    for (const seq of [10 ** digits, 10 ** digits - 1, 10 ** digits + 205]) {
      const lines = new LineBytes()
      lines.event({ time: seq, kind: 'gap', coin: '', data: { fromMs: seq, why: 'x' } }, seq)
      expect(JSON.parse(Buffer.from(lines.written()).toString())).toMatchObject({ time: seq, seq })
    }
})

test('texts and lists of any length fit', () => {
  const lines = new LineBytes()
  const data = { side: 'B', px: '1'.repeat(200_000), sz: '"'.repeat(100_000), users: ['ä', 'ß'] }
  const draft = { time: 1, kind: 'trade', coin: 'x'.repeat(70_000), data } as unknown as EventDraft
  lines.event(draft, 1)
  const { time, kind, coin } = draft
  expect(Buffer.from(lines.written()).toString()).toBe(
    `${JSON.stringify({ time, seq: 1, kind, coin, data })}\n`,
  )
})
