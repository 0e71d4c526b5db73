/** Market events that cannot act at the same time. */
import { coinOf, eventEndMs, type GivenEvent, kindOf, type TimedEvent } from './market-event.ts'

/** Why two events cannot act as they are timed; null when they can. */
export function conflictOf(one: TimedEvent, other: TimedEvent): string | null {
  const overlap = one.fromMs < endMs(other) && other.fromMs < endMs(one)
  return (
    exclusionOf(one.event, other.event, overlap) ?? exclusionOf(other.event, one.event, overlap)
  )
}

/** `move of BTC`, `halt of all coins`, `news`. */
export function eventText(event: GivenEvent): string {
  const coin = coinOf(event)
  if (coin === undefined) return event.kind
  return `${event.kind} of ${coin ?? 'all coins'}`
}

/** What acts at once fills a moment. */
const endMs = (timed: TimedEvent) => Math.max(timed.fromMs + 1, eventEndMs(timed))

function exclusionOf(event: GivenEvent, other: GivenEvent, overlap: boolean): string | null {
  const found = kindOf(event).excludes.find(
    ({ kind, of, ever, when }) =>
      kind === other.kind &&
      (overlap || ever === true) &&
      (of === 'all coins' || meetOnCoin(event, other)) &&
      (when?.(event as never, other as never) ?? true),
  )
  return found?.why ?? null
}

function meetOnCoin(event: GivenEvent, other: GivenEvent): boolean {
  const [coin, otherCoin] = [coinOf(event), coinOf(other)]
  return coin === null || otherCoin === null || coin === otherCoin
}
