import type { Channel } from '../contract/channel.ts'

/** A channel that tells in its `about` how often it speaks, and how when the market does not. */
export function withManners(channel: Channel): Channel {
  const { minGapMs, republished, expires } = channel.manners
  const about = [
    channel.about,
    minGapMs === undefined ? undefined : `Two pushes are at least ${minGapMs} ms apart.`,
    republished && 'When it is silent the last snapshot is sent again.',
    expires && 'What is sent again says `stale: true` once it has expired.',
  ]
  return { ...channel, about: about.filter((part) => part).join(' ') }
}
