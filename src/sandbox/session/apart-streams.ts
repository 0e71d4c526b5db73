/** Streams of accounts that are apart in the timeline: these are played only while followed. */
import type { Sandbox } from '../sandbox.ts'
import type { Stream } from './stream.ts'
import { WEIGHT_OF_MADE } from './stream-groups.ts'

export class ApartStreams {
  private readonly streams = new Set<Stream>()

  constructor(private readonly sandbox: Sandbox) {}

  /** Whether there is any. */
  get isEmpty(): boolean {
    return this.streams.size === 0
  }

  readonly weightOf = (stream: Stream): number => (this.streams.has(stream) ? WEIGHT_OF_MADE : 1)

  /** A stream is followed from now on. */
  add(stream: Stream): void {
    for (const address of this.accountsOf(stream)) {
      this.streams.add(stream)
      this.sandbox.player.accounts.add(address)
    }
  }

  /** It is followed no more. */
  remove(stream: Stream): void {
    this.streams.delete(stream)
    for (const address of this.accountsOf(stream)) this.sandbox.player.accounts.remove(address)
  }

  private accountsOf({ topics }: Stream): string[] {
    const { timeline } = this.sandbox.world
    const subjects = new Set(topics.map((topic) => topic.slice(topic.indexOf('/') + 1)))
    return [...subjects].filter((subject) => timeline.isApart(subject))
  }
}
