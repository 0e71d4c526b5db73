import { expect, test } from 'bun:test'
import { tapeMs } from '../clock/instant.ts'
import { Playhead } from './playhead.ts'

const span = { startMs: 1_000_000_000_000, endMs: 1_000_000_010_500 }
const NOW = 1_700_000_000_123

test('the recorded times are shown as they are with epoch tape', () => {
  const head = new Playhead(span, 'tape', NOW)
  expect(head.positionAt(NOW + 2_000)).toEqual({
    atMs: tapeMs(span.startMs + 2_000),
    lap: 0,
    shiftMs: 0,
  })
})

test('a live epoch shows the present, to the second', () => {
  const { atMs, shiftMs } = new Playhead(span, 'live', NOW).positionAt(NOW + 3_000)
  expect(NOW + 3_000 - (atMs + shiftMs)).toBeGreaterThanOrEqual(0)
  expect(NOW + 3_000 - (atMs + shiftMs)).toBeLessThan(1_000)
  expect(shiftMs % 1000).toBe(0)
})

test('a loop goes on in what is shown and begins anew in the tape', () => {
  const head = new Playhead(span, 'tape', 0)
  expect(head.lapMs).toBe(11_000)
  expect(head.positionAt(10_999)).toEqual({ atMs: tapeMs(span.endMs), lap: 0, shiftMs: 0 })
  expect(head.positionAt(11_000)).toEqual({ atMs: tapeMs(span.startMs), lap: 1, shiftMs: 11_000 })
  expect(head.positionAt(33_500)).toEqual({
    atMs: tapeMs(span.startMs + 500),
    lap: 3,
    shiftMs: 33_000,
  })
})

test('hold stays at the end', () => {
  const head = new Playhead(span, 'tape', 0, { end: 'hold' })
  expect(head.positionAt(99_999).atMs).toBe(tapeMs(span.endMs))
  expect(head.sessionMsOf(10_501)).toBeUndefined()
})

test('speed changes keep the position, and every travelled time has its session time', () => {
  const head = new Playhead(span, 'tape', 0)
  for (const [nowMs, speed] of [
    [1_000, 0.1],
    [11_000, 7],
    [11_100, 0],
    [50_000, 10_000],
  ] as const) {
    const before = head.positionAt(nowMs).atMs
    head.set(nowMs, { speed })
    expect(head.positionAt(nowMs).atMs).toBe(before)
    const next = head.travelledAt(nowMs) + 137
    const due = head.sessionMsOf(next)
    if (speed === 0) expect(due).toBeUndefined()
    else expect(head.travelledAt(due as number)).toBe(next)
  }
})

test('a position can be an offset, and stays within the tape', () => {
  const head = new Playhead(span, 'tape', 0, { atMs: 5_000 })
  expect(head.positionAt(0).atMs).toBe(tapeMs(span.startMs + 5_000))
  head.set(0, { atMs: 99_999 })
  expect(head.positionAt(0).atMs).toBe(tapeMs(span.endMs))
  head.set(0, { atMs: span.startMs - 1 })
  expect(head.positionAt(0).atMs).toBe(tapeMs(span.startMs))
})

test('at max only the player moves it', () => {
  const head = new Playhead(span, 'tape', 0, { speed: 'max' })
  expect(head.positionAt(1e9).atMs).toBe(tapeMs(span.startMs))
  head.advanceTo(4_000)
  expect(head.positionAt(1e9).atMs).toBe(tapeMs(span.startMs + 4_000))
})

test('at the instant that it names, it has come as far as that, at any speed', () => {
  const nowMs = 1_767_225_600_123.456
  for (const speed of [0.7, 3, 7, 1_000 / 3, 9_999]) {
    const playhead = new Playhead({ startMs: 0, endMs: 100_000 }, 'tape', nowMs, { speed })
    for (let travelledMs = 0; travelledMs < 5_000; travelledMs += 7) {
      const whenMs = playhead.sessionMsOf(travelledMs) as number
      expect(playhead.travelledAt(whenMs)).toBeGreaterThanOrEqual(travelledMs)
    }
  }
})
