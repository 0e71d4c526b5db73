/** Numbers of the topics of a timeline, in the order in which they were met. */
import { isOfAccount, type TimelineEvent } from '../contract/timeline.ts'

type Kind = TimelineEvent['kind']

/** What an event is, and whose: a coin, an address, or the stream of a recording. */
export interface Topic {
  kind: Kind
  subject: string
}

export class TopicNumbers {
  private readonly topics: Topic[] = []
  private readonly numbers = new Map<Kind, Map<string, number>>()

  /** The topic with a number. */
  topic(number: number): Topic {
    return this.topics[number] as Topic
  }

  /** The number of a topic that an event had. */
  find({ kind, subject }: Topic): number | undefined {
    return this.numbers.get(kind)?.get(subject)
  }

  /** The number of the topic of an event. */
  numberOf(event: TimelineEvent): number {
    const topic = { kind: event.kind, subject: subjectOf(event) }
    return this.find(topic) ?? this.add(topic)
  }

  private add(topic: Topic): number {
    const number = this.topics.push(topic) - 1
    const ofKind = this.numbers.get(topic.kind) ?? new Map<string, number>()
    this.numbers.set(topic.kind, ofKind)
    ofKind.set(topic.subject, number)
    return number
  }
}

function subjectOf(event: TimelineEvent): string {
  if (event.kind === 'recorded') return event.stream
  return isOfAccount(event) ? event.address : event.coin
}
