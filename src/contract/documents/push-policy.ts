import type { Channel, Source } from '../channel.ts'

const EXPIRY: Record<Source, string> = {
  book: 'with `stale: true` once the book of the coin has expired',
  coin: 'with `stale: true` once there has been no event of the coin for as long',
  market: 'with `stale: true` once there has been no event at all for as long',
}

/** A channel whose `about` also says how often it pushes, and what when its source is silent. */
export function withPushPolicy(channel: Channel): Channel {
  const { minGapMs, stateOf } = channel.pushPolicy
  const about = [
    channel.about,
    minGapMs === undefined ? undefined : `Two pushes are at least ${minGapMs} ms apart.`,
    stateOf && `A silent channel sends its last snapshot again, ${EXPIRY[stateOf]}.`,
  ]
  return { ...channel, about: about.filter((part) => part).join(' ') }
}
