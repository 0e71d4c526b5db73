/** When each market last had an event: what has had none for long is stale. */

import type { Channel, Source } from '../../contract/channel.ts'
import type { Answers } from '../../contract/questions.ts'
import { spanMs } from '../../contract/span.ts'
import type { Topic, TopicNumbers } from '../topic-numbers.ts'

/** The events of a coin that its book is made of, and all that it has. */
const OF_BOOK: Topic['kind'][] = ['book', 'bbo']
const OF_COIN: Topic['kind'][] = [...OF_BOOK, 'trade', 'mark']

export class MarketActivity {
  /** By topic, session times in ms. */
  private readonly lastOfTopic: number[] = []
  private anyMs: number

  /** @param sinceMs from when on events are noted */
  constructor(
    private readonly topics: TopicNumbers,
    private readonly sinceMs: number,
  ) {
    this.anyMs = sinceMs
  }

  /** An event of that topic has come. */
  note(topic: number, nowMs: number): void {
    while (this.lastOfTopic.length <= topic) this.lastOfTopic.push(this.sinceMs)
    this.lastOfTopic[topic] = nowMs
    this.anyMs = nowMs
  }

  /** Whether what a channel shows of a coin has had no event for too long. */
  isStale(channel: Channel, coin: unknown, answers: Answers, nowMs: number): boolean {
    const { id, pushPolicy } = channel
    const source = pushPolicy.stateOf ?? 'market'
    const staleChannels = answers['stale-channels']
    if (staleChannels === 'l2Book' && id !== 'l2Book') return false
    if (staleChannels === 'books' && source !== 'book') return false
    return this.ageMs(channel, coin, nowMs) >= spanMs(answers['stale-after'])
  }

  /** How long ago what a channel shows of a coin had an event, session time. */
  ageMs({ pushPolicy }: Channel, coin: unknown, nowMs: number): number {
    return nowMs - this.lastMs(pushPolicy.stateOf ?? 'market', coin)
  }

  /** When a source last had an event. */
  private lastMs(source: Source, coin: unknown): number {
    if (source === 'market') return this.anyMs
    const kinds = source === 'book' ? OF_BOOK : OF_COIN
    const times = kinds.map((kind) => {
      const topic = this.topics.find({ kind, subject: String(coin) })
      return (topic === undefined ? undefined : this.lastOfTopic[topic]) ?? this.sinceMs
    })
    return Math.max(...times)
  }
}
