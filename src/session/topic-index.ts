/** Which streams an event wakes. */
import { isOfAccount, type TimelineEvent } from '../contract/timeline.ts'
import type { PushStream } from './push-stream.ts'

/** Marks are one topic for all coins. */
const EVERYONE = '*'

export class TopicIndex {
  /** Kind of event, and whose. */
  private readonly byKind = new Map<string, Map<string, Set<PushStream>>>()

  add(stream: PushStream): void {
    for (const topic of stream.topics) {
      const [kind, subject] = partsOf(topic)
      const ofKind = this.byKind.get(kind) ?? new Map<string, Set<PushStream>>()
      this.byKind.set(kind, ofKind)
      const streams = ofKind.get(subject)
      if (streams) streams.add(stream)
      else ofKind.set(subject, new Set([stream]))
    }
  }

  remove(stream: PushStream): void {
    for (const topic of stream.topics) {
      const [kind, subject] = partsOf(topic)
      const ofKind = this.byKind.get(kind)
      const streams = ofKind?.get(subject)
      streams?.delete(stream)
      if (streams?.size === 0) ofKind?.delete(subject)
      if (ofKind?.size === 0) this.byKind.delete(kind)
    }
  }

  /** Looked up for every event there is: nothing is made for it. */
  streamsOf(event: TimelineEvent): ReadonlySet<PushStream> | undefined {
    const ofKind = this.byKind.get(event.kind)
    if (!ofKind || event.kind === 'mark') return ofKind?.get(EVERYONE)
    return ofKind.get(isOfAccount(event) ? event.address : event.coin)
  }
}

function partsOf(topic: string): [kind: string, subject: string] {
  const at = topic.indexOf('/')
  return [topic.slice(0, at), topic.slice(at + 1)]
}
