/** Events of accounts of the crowd, which have rows only where somebody asks for them. */
import type { TapeMs } from '../../clock/instant.ts'
import { KIND_RANKS, type TimelineEvent } from '../../contract/timeline.ts'
import { accountWorld, isAnnouncedIn } from '../crowd/account-world.ts'
import type { World } from '../world.ts'
import { accountEvents } from './account-events.ts'

/**
 * Of the given accounts the events with fromMs <= time < toMs, by time and kind. They follow from
 * their trades, which are among the events of the market in that span; and liquidations are
 * announced before they are traded.
 */
export function crowdEvents(
  world: World,
  addresses: ReadonlySet<string>,
  ofMarket: readonly TimelineEvent[],
  fromMs: TapeMs,
  toMs: TapeMs,
): readonly TimelineEvent[] {
  const found: TimelineEvent[] = []
  for (const address of concerned(world, addresses, ofMarket, fromMs, toMs)) {
    const account = accountWorld(world, address)
    if (!account) continue
    const { ledger, fills, orders } = accountEvents(account)(fromMs, toMs)
    for (const event of [...ledger, ...fills, ...orders])
      if ('address' in event && event.address === address) found.push(event)
  }
  return found.sort((a, b) => a.timeMs - b.timeMs || KIND_RANKS[a.kind] - KIND_RANKS[b.kind])
}

function concerned(
  world: World,
  addresses: ReadonlySet<string>,
  ofMarket: readonly TimelineEvent[],
  fromMs: TapeMs,
  toMs: TapeMs,
): Set<string> {
  const found = new Set<string>()
  for (const event of ofMarket)
    if (event.kind === 'trade')
      for (const { users } of event.trades)
        for (const user of users) if (addresses.has(user)) found.add(user)
  for (const address of addresses)
    if (isAnnouncedIn(world, address, fromMs, toMs)) found.add(address)
  return found
}
