/** Holds a market event against the market that is to do it. */
import { FieldFlaw, type FieldPath } from '../../contract/fields/field-flaw.ts'
import { nearestName } from '../../contract/fields/nearest-name.ts'
import { coinOfPlace } from './coin-places.ts'
import type { CoinStanding } from './event-kind.ts'
import { settledListing } from './listing.ts'
import { type GivenEvent, kindOf, type MarketEvent } from './market-event.ts'

/**
 * The event with its coin by name and its amount in dollars; a FieldFlaw for a coin that is not
 * there, and for more than what stands there allows.
 */
export function eventFor(
  event: GivenEvent,
  standings: readonly CoinStanding[],
  at: FieldPath = [],
): MarketEvent {
  if (event.kind === 'listing') return settledListing(event, standings, at)
  if (!('coin' in event) || event.coin === undefined) return event as MarketEvent
  const standing = standingOf(event.coin, standings, [...at, 'coin'])
  const { settled, shortage } = kindOf(event)
  const named = { ...event, coin: standing.coin }
  const own = settled?.(named as never, standing) ?? named
  const flaw = shortage?.(own as never, standing)
  if (flaw) throw new FieldFlaw([...at, flaw.field], flaw.message)
  return own as MarketEvent
}

function standingOf(coin: string, standings: readonly CoinStanding[], at: FieldPath): CoinStanding {
  const found = coinOfPlace(coin, standings) ?? standings.find((one) => one.coin === coin)
  if (found) return found
  const names = standings.map((one) => one.coin)
  const small = nearestName(
    coin,
    names.map((name) => name.toLowerCase()),
  )
  const nearest = names.find((name) => name.toLowerCase() === small)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  throw new FieldFlaw(at, `names no coin "${coin}"${hint}; the market has ${names.join(', ')}`)
}
