import { expect, test } from 'bun:test'
import { tapeMs } from '../clock/instant.ts'
import { Playhead, type TapePosition } from './playhead.ts'

const span = {
  startMs: 1_000_000_000_000,
  tapeEndMs: 1_000_000_010_500,
  endMs: 1_000_000_010_500,
  canContinue: false,
}
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

test('a loop continues in shown time and restarts in tape time', () => {
  const head = new Playhead(span, 'tape', 0, { end: 'loop' })
  expect(head.lapMs).toBe(11_000)
  expect(head.positionAt(10_999)).toEqual({ atMs: tapeMs(span.tapeEndMs), lap: 0, shiftMs: 0 })
  expect(head.positionAt(11_000)).toEqual({ atMs: tapeMs(span.startMs), lap: 1, shiftMs: 11_000 })
  expect(head.positionAt(33_500)).toEqual({
    atMs: tapeMs(span.startMs + 500),
    lap: 3,
    shiftMs: 33_000,
  })
})

test('hold stays at the end', () => {
  const head = new Playhead(span, 'tape', 0, { end: 'hold' })
  expect(head.positionAt(99_999).atMs).toBe(tapeMs(span.tapeEndMs))
  expect(head.sessionMsOf(10_501)).toBeUndefined()
})

test('speed changes keep the position, and every travelled time has its session time', () => {
  const head = new Playhead(span, 'tape', 0, { end: 'loop' })
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
  expect(head.positionAt(0).atMs).toBe(tapeMs(span.tapeEndMs))
  head.set(0, { atMs: span.startMs - 1 })
  expect(head.positionAt(0).atMs).toBe(tapeMs(span.startMs))
})

test('at max only the player moves it', () => {
  const head = new Playhead(span, 'tape', 0, { speed: 'max' })
  expect(head.positionAt(1e9).atMs).toBe(tapeMs(span.startMs))
  head.advanceTo(4_000)
  expect(head.positionAt(1e9).atMs).toBe(tapeMs(span.startMs + 4_000))
})

test('at the instant computed for a travelled time, it has travelled that, at any speed', () => {
  const nowMs = 1_767_225_600_123.456
  const short = { startMs: 0, tapeEndMs: 100_000, endMs: 100_000, canContinue: false }
  for (const speed of [0.7, 3, 7, 1_000 / 3, 9_999]) {
    const playhead = new Playhead(short, 'tape', nowMs, { speed })
    for (let travelledMs = 0; travelledMs < 5_000; travelledMs += 7) {
      const whenMs = playhead.sessionMsOf(travelledMs) as number
      expect(playhead.travelledAt(whenMs)).toBeGreaterThanOrEqual(travelledMs)
    }
  }
})

/** A market that continues, as far as it has been grown. */
const growing = (grownMs: number) => ({
  ...span,
  endMs: span.tapeEndMs + grownMs,
  canContinue: true,
})

test('after the tape it continues to the end of the grown market, and waits there', () => {
  const market = growing(0)
  const head = new Playhead(market, 'tape', 0)
  expect(head.positionAt(60_000).atMs).toBe(tapeMs(span.tapeEndMs))
  expect([head.isAheadAt(10_500), head.isAheadAt(60_000)]).toEqual([false, true])
  expect(head.lagMs(60_000)).toBe(49_500)
  market.endMs = span.tapeEndMs + 300_000
  expect(head.positionAt(60_000).atMs).toBe(tapeMs(span.startMs + 60_000))
  expect([head.isAheadAt(60_000), head.lagMs(60_000)]).toEqual([false, 0])
  expect(head.sessionMsOf(200_000)).toBe(200_000)
})

test('hold stays at the end of the tape, and beyond it at its position', () => {
  const head = new Playhead(growing(300_000), 'tape', 0, { end: 'hold' })
  expect(head.positionAt(60_000).atMs).toBe(tapeMs(span.tapeEndMs))
  head.set(60_000, { end: 'continue', atMs: 50_000 })
  expect(head.positionAt(65_000).atMs).toBe(tapeMs(span.startMs + 55_000))
  head.set(65_000, { end: 'hold' })
  expect(head.positionAt(99_000).atMs).toBe(tapeMs(span.startMs + 55_000))
  head.set(99_000, { end: 'loop' })
  expect(head.positionAt(99_000).atMs).toBe(tapeMs(span.tapeEndMs))
})

test('a market that stays is shown as of the new now, in one step as in many', () => {
  const shown = (steps: readonly number[]) => {
    const head = new Playhead(growing(300_000), 'live', NOW)
    let nowMs = NOW + 5_000
    for (const step of steps) {
      head.stay(nowMs, step)
      expect(head.positionAt(nowMs + step / 2).atMs).toBe(tapeMs(span.startMs + 5_000))
      nowMs += step
    }
    return [head.positionAt(nowMs), head.positionAt(nowMs + 1_000)]
  }
  const [then, later] = shown([3_600_000]) as [TapePosition, TapePosition]
  expect(shown([600_000, 1_200_000, 1_800_000])).toEqual([then, later])
  expect(then.atMs).toBe(tapeMs(span.startMs + 5_000))
  expect(later.atMs).toBe(tapeMs(span.startMs + 6_000))
  const nowMs = NOW + 5_000 + 3_600_000
  expect(nowMs - then.atMs - then.shiftMs).toBeLessThan(1_000)
})
