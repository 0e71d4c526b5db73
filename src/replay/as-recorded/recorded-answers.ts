/** The answers of a recording, found by what was asked for and by when. */
import { unknownText } from '../../suggestion/nearest-name.ts'
import type { AskedRequest } from '../asked-request.ts'
import {
  comparisonKey,
  type Difference,
  differences,
  namesInstants,
  type TimedRequest,
} from './field-comparison.ts'

/** An answer as it was recorded, and what it answered. */
export interface RecordedAnswer {
  asked: AskedRequest
  /** When it was there: tape time, ms. */
  atMs: number
  status: number
  contentType: string
  /** The number of its body in the store of texts. */
  text: number
}

/** What is found: an answer, or in words why there is none. */
export type FoundAnswer = { answer: RecordedAnswer } | { missed: string }

export class RecordedAnswers {
  /** By operation and type of body, each in order of time. */
  private readonly groups = new Map<string, RecordedAnswer[]>()
  private readonly byKey = new Map<string, RecordedAnswer[]>()

  get isEmpty(): boolean {
    return this.groups.size === 0
  }

  /** In order of time. */
  add(told: RecordedAnswer): void {
    const name = nameOf(told.asked)
    const key = `${name} ${comparisonKey(told.asked)}`
    const known = this.byKey.get(key)?.[0]
    const { asked, contentType } = known && hasNoInstants(known) ? known : told
    // What many requests have in common is kept once.
    const isAlike = contentType === told.contentType && hasNoInstants(told)
    const answer = isAlike ? { ...told, asked, contentType } : told
    append(this.groups, name, answer)
    append(this.byKey, key, answer)
  }

  /** The latest at or before an instant, else the first; or which one comes nearest, and why. */
  find(asked: AskedRequest, atMs: number): FoundAnswer {
    const name = nameOf(asked)
    const request = { asked, atMs }
    const alike = this.byKey.get(`${name} ${comparisonKey(asked)}`) ?? []
    const isSame = (one: RecordedAnswer) => differences(request, one).length === 0
    const same = namesInstants(asked) ? alike.filter(isSame) : alike.filter(hasNoInstants)
    const found = latest(same, atMs)
    if (found) return { answer: found }
    const group = this.groups.get(name)
    if (!group) return { missed: unknownText('recorded operation', name, [...this.groups.keys()]) }
    return { missed: `not recorded: ${name}; ${nearestText(request, group)}` }
  }
}

const nameOf = ({ operation, type }: AskedRequest): string =>
  type === null ? operation.id : `${operation.id}/${type}`

const latest = (answers: readonly RecordedAnswer[], atMs: number): RecordedAnswer | undefined =>
  answers.findLast((answer) => answer.atMs <= atMs) ?? answers[0]

/** The nearest is looked for among so many of the latest. */
const COMPARED_MAX = 500

const hasNoInstants = ({ asked }: RecordedAnswer): boolean => !namesInstants(asked)

function nearestText(request: TimedRequest, group: readonly RecordedAnswer[]): string {
  let nearest: { answer: RecordedAnswer; wrong: Difference[] } | null = null
  for (const answer of group.slice(-COMPARED_MAX)) {
    const wrong = differences(request, answer)
    // Of several alike the latest that is there already.
    const isBetter =
      !nearest ||
      wrong.length < nearest.wrong.length ||
      (wrong.length === nearest.wrong.length && answer.atMs <= request.atMs)
    if (isBetter) nearest = { answer, wrong }
  }
  if (!nearest) return 'nothing was'
  const { answer, wrong } = nearest
  const fields = wrong.map(
    ({ field, asked, recorded }) =>
      `${field} is ${valueText(recorded)} there and ${valueText(asked)} here`,
  )
  return `the nearest is of ${new Date(answer.atMs).toISOString()}: ${fields.join(', ')}`
}

/** Letters of a value that are shown. */
const SHOWN_MAX = 60

function valueText(value: unknown): string {
  if (value === undefined) return 'left out'
  const text = JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

function append<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
