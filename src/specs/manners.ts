import type { Channel } from '../contract/channel.ts'

/** How often and how a channel speaks when the market does not, in sentences; empty for no rule. */
export function manners({ manners: { minGapMs, republished, expires } }: Channel): string {
  return [
    minGapMs === undefined ? undefined : `Two pushes are at least ${minGapMs} ms apart.`,
    republished && 'When it is silent the last snapshot is sent again.',
    expires && 'What is sent again says `stale: true` once it has expired.',
  ]
    .filter((part) => part)
    .join(' ')
}
