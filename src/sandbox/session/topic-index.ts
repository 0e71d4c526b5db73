/** Which streams an event wakes. */
import type { Topic, TopicNumbers } from '../topic-numbers.ts'
import type { Stream } from './stream.ts'

type Streams = ReadonlySet<Stream>

/** Marks are one topic for all coins. */
const EVERYONE = '*'

export class TopicIndex {
  /** Kind of event, and whose. */
  private readonly byKind = new Map<string, Map<string, Set<Stream>>>()
  /** By the number of a topic, as far as it was looked up: null for those that nobody follows. */
  private readonly known: (Streams | null | undefined)[] = []

  constructor(private readonly numbers: TopicNumbers) {}

  add(stream: Stream): void {
    for (const topic of stream.topics.map(topicOf)) {
      const { kind, subject } = topic
      const ofKind = this.byKind.get(kind) ?? new Map<string, Set<Stream>>()
      this.byKind.set(kind, ofKind)
      const streams = ofKind.get(subject)
      if (streams) streams.add(stream)
      else {
        ofKind.set(subject, new Set([stream]))
        this.forget(topic)
      }
    }
  }

  remove(stream: Stream): void {
    for (const topic of stream.topics.map(topicOf)) {
      const { kind, subject } = topic
      const ofKind = this.byKind.get(kind)
      const streams = ofKind?.get(subject)
      streams?.delete(stream)
      if (streams?.size !== 0) continue
      ofKind?.delete(subject)
      if (ofKind?.size === 0) this.byKind.delete(kind)
      this.forget(topic)
    }
  }

  /** Looked up for every event there is, by the number of its topic: nothing is made for it. */
  streamsOf(number: number): Streams | null {
    const known = this.known[number]
    return known === undefined ? this.find(number) : known
  }

  private find(number: number): Streams | null {
    const { kind, subject } = this.numbers.topic(number)
    const streams = this.byKind.get(kind)?.get(kind === 'mark' ? EVERYONE : subject) ?? null
    while (this.known.length <= number) this.known.push(undefined)
    this.known[number] = streams
    return streams
  }

  /** It is followed by nobody any more, or was not before. */
  private forget(topic: Topic): void {
    if (topic.subject === EVERYONE) this.known.length = 0
    const number = this.numbers.find(topic)
    if (number !== undefined && number < this.known.length) this.known[number] = undefined
  }
}

function topicOf(text: string): Topic {
  const at = text.indexOf('/')
  return { kind: text.slice(0, at) as Topic['kind'], subject: text.slice(at + 1) }
}
