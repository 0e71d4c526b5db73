/** Holds a market event against the market that is to do it. */
import { FieldFlaw, type FieldPath } from '../../fields/field-flaw.ts'
import { nearestName } from '../../suggestion/nearest-name.ts'
import type { CoinStanding } from './event-kind.ts'
import { kindOf, type MarketEvent } from './market-event.ts'

/**
 * The event with its coin by name; a FieldFlaw for a coin that is not there, and for more than what
 * stands there allows.
 */
export function eventFor(
  event: MarketEvent,
  standings: readonly CoinStanding[],
  at: FieldPath = [],
): MarketEvent {
  if (!('coin' in event) || event.coin === undefined) return event
  const standing = standingOf(event.coin, standings, [...at, 'coin'])
  const named = { ...event, coin: standing.coin }
  const shortage = kindOf(event).shortage?.(named as never, standing)
  if (shortage) throw new FieldFlaw([...at, shortage.field], shortage.message)
  return named
}

/** What stands for the coin that is traded most. */
const BUSIEST = 'busiest'

function standingOf(coin: string, standings: readonly CoinStanding[], at: FieldPath): CoinStanding {
  const perps = standings.filter(({ kind }) => kind === 'perp')
  const found =
    coin === BUSIEST
      ? (perps.length > 0 ? perps : standings).toSorted(byVolume)[0]
      : standings.find((one) => one.coin === coin)
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

const byVolume = (a: CoinStanding, b: CoinStanding) => b.dayVolumeUsd - a.dayVolumeUsd
