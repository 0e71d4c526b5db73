/** Requests match a target's rate: on a clock whose waits take no time. */
import { expect, test } from 'bun:test'
import type { SystemClock } from '../../src/clock/system-clock.ts'
import { isRateRefusal, Pace, retryAfterMs } from '../../src/conformance/pace.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'

/** So many requests per time window. */
function windows(clock: SystemClock, most: number, spanMs: number) {
  let [window, taken] = [-1, 0]
  return () => {
    const now = Math.floor(clock.monotonicMs() / spanMs)
    if (now !== window) [window, taken] = [now, 0]
    return ++taken <= most
  }
}

/** A token bucket. */
function bucket(clock: SystemClock, most: number, perMs: number) {
  let [held, lastMs] = [most, 0]
  return () => {
    const nowMs = clock.monotonicMs()
    held = Math.min(most, held + (nowMs - lastMs) * perMs)
    lastMs = nowMs
    if (held < 1) return false
    held--
    return true
  }
}

/** Sends so many requests, eight at a time, each until it is answered. */
async function sent(
  clock: SystemClock,
  count: number,
  isTaken: () => boolean,
  {
    perMinute,
    retryMs = null,
  }: { perMinute?: number; retryMs?: () => number } | { retryMs?: null; perMinute?: number } = {},
) {
  const pace = new Pace({ systemClock: clock, ...(perMinute === undefined ? {} : { perMinute }) })
  const times: number[] = []
  let [refused, left] = [0, count]
  const worker = async () => {
    while (left-- > 0)
      for (let isAnswered = false; !isAnswered; ) {
        const turn = await pace.turn(0)
        await clock.yieldTurn()
        isAnswered = isTaken()
        if (isAnswered) {
          times.push(turn.sentMs)
          pace.answered(turn)
        } else {
          refused++
          expect(pace.refused(turn, retryMs?.() ?? null)).toBe(null)
        }
      }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return { times, refused, pace, minutes: clock.monotonicMs() / 60_000 }
}

test('a requested rate is kept in every minute', async () => {
  const clock = hurriedClock()
  const { times, refused } = await sent(clock, 300, () => true, { perMinute: 120 })
  expect(refused).toBe(0)
  const most = Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
  )
  expect(most).toBe(120)
})

test('300 in each minute are detected, and rarely refused', async () => {
  const clock = hurriedClock()
  const { refused, minutes, pace } = await sent(clock, 3_000, windows(clock, 300, 60_000))
  expect(refused).toBeLessThan(90)
  expect(minutes).toBeLessThan(15)
  expect(pace.perMinute).toBeWithin(200, 400)
})

test("the target's Retry-After is kept", async () => {
  const clock = hurriedClock()
  const retryMs = () => 60_000 - (clock.monotonicMs() % 60_000)
  const limit = windows(clock, 300, 60_000)
  const { refused, minutes } = await sent(clock, 3_000, limit, { retryMs })
  expect(refused).toBeLessThan(60)
  expect(minutes).toBeLessThan(13)
})

test('ten in each second are as many as six hundred in a minute', async () => {
  const clock = hurriedClock()
  const limit = windows(clock, 10, 1_000)
  const { minutes } = await sent(clock, 3_000, limit, { retryMs: () => 1_000 })
  expect(minutes).toBeLessThan(9)
})

test('a token bucket is used at the rate of its refill', async () => {
  const clock = hurriedClock()
  const { minutes, refused } = await sent(clock, 3_000, bucket(clock, 100, 5 / 1000))
  expect(minutes).toBeLessThan(15)
  expect(refused).toBeLessThan(300)
})

test('earlier cases go first', async () => {
  const clock = hurriedClock()
  const pace = new Pace({ systemClock: clock, perMinute: 60 })
  const order: number[] = []
  await Promise.all([5, 3, 9, 1].map((rank) => pace.turn(rank).then(() => order.push(rank))))
  // The first one was sent before the others were queued.
  expect(order).toEqual([5, 1, 3, 9])
})

test('a target that refuses for long is not awaited', async () => {
  const clock = hurriedClock()
  const pace = new Pace({ systemClock: clock })
  const turn = await pace.turn(0)
  expect(pace.refused(turn, 86_400_000)).toBe(
    'it refuses requests as too many, for the next 86400 s',
  )
  const other = new Pace({ systemClock: clock })
  const reasons: (string | null)[] = []
  while (reasons.at(-1) === undefined || reasons.at(-1) === null)
    reasons.push(other.refused(await other.turn(0), null))
  expect(reasons.length).toBeWithin(8, 15)
  expect(reasons.at(-1)).toStartWith('it has refused every request as one too many for 1')
})

test('Retry-After is seconds or a date', () => {
  const response = { status: 429, contentType: '', text: '' }
  const at = Date.UTC(2026, 1, 1)
  expect(retryAfterMs(response, at)).toBe(null)
  expect(retryAfterMs({ ...response, retryAfter: '7' }, at)).toBe(7_000)
  const date = new Date(at + 9_000).toUTCString()
  expect(retryAfterMs({ ...response, retryAfter: date }, at)).toBe(9_000)
  expect(retryAfterMs({ ...response, retryAfter: 'soon' }, at)).toBe(null)
})

test('each form of a rate limit is detected, and nothing else is', () => {
  const response = (status: number, text = '') => ({ status, contentType: '', text })
  expect(isRateRefusal(response(429))).toBe(true)
  expect(isRateRefusal(response(200, '{"code":"429","msg":"","data":null}'))).toBe(true)
  expect(isRateRefusal(response(403, '{"code":"403","msg":"请求过于频繁"}'))).toBe(true)
  expect(isRateRefusal({ ...response(503), retryAfter: '1' })).toBe(true)
  expect(isRateRefusal(response(503))).toBe(false)
  expect(isRateRefusal(response(403, '{"code":"403","msg":"Permission denied: X"}'))).toBe(false)
})
