/** A recording that is served back as it is. */

import type { Channel } from '../../../contract/channel.ts'
import { unknownText } from '../../../contract/fields/nearest-name.ts'
import { meaningOf } from '../../../contract/meaning.ts'
import { bodyOf } from '../../../contract/operation.ts'
import type { TSchema } from '../../../contract/schema.ts'
import { shownValue } from '../../../contract/shown-value.ts'
import { info } from '../../../contract/venue/info.ts'
import { UserError } from '../../../platform/user-error.ts'
import { fileDigest } from '../../file-digest.ts'
import type { TapeEvent } from '../../tape-event.ts'
import { openTape } from '../../tape-reader.ts'
import {
  AS_RECORDED,
  type AskedField,
  type AskedRequest,
  askedRequest,
  type GivenRequest,
} from '../asked-request.ts'
import { jsonOf } from '../json-text.ts'
import { recordedRequest } from '../recorded-exchange.ts'
import type { RecordedRoutes } from '../recorded-routes.ts'
import { type RecordedPost, SocketFollower } from '../socket-follower.ts'
import type { RecordedFrame, RecordedFrames } from './recorded-frames.ts'
import { type FramesOfStream, RecordedStreams } from './recorded-streams.ts'
import { TextStore } from './text-store.ts'

/** Where the playhead is, and how much later clients are shown it. */
interface Place {
  atMs: number
  shiftMs: number
}

/** The span of the tape along which it is played. */
interface TapeTimes {
  startMs: number
  tapeEndMs: number
}

/** An answer as it is served, its body shown; or in words why there is none. */
export type ServedAnswer =
  | { answer: { status: number; contentType: string; body: string } }
  | { missed: string }

/**
 * The answers and frames of a recording along a tape.
 *
 * Where the times of both overlap, as they do when the tape was made of the recording, it keeps its
 * own; else it begins with the tape.
 */
export class Recording {
  private readonly answers = new RecordedAnswers()
  private readonly texts: TextStore
  private readonly streams = new RecordedStreams()
  /** What was not taken in, as it is none of the contract's or no text. */
  leftOut = 0

  private constructor(
    /** Its digest, shortened. */
    readonly id: string,
    private readonly routes: RecordedRoutes,
    /** What is added to its times so that they are the tape's. */
    private readonly offsetMs: number,
    folder: string,
  ) {
    this.texts = new TextStore(folder)
  }

  /** @param folder where bodies and frames are kept while it is served */
  static async open(
    path: string,
    routes: RecordedRoutes,
    tape: TapeTimes,
    folder: string,
  ): Promise<Recording> {
    const { header, events } = await openTape(path)
    const { startMs, endMs } = header
    const overlaps = startMs <= tape.tapeEndMs && endMs >= tape.startMs
    const id = (await fileDigest(path)).slice(0, 12)
    const recording = new Recording(id, routes, overlaps ? 0 : tape.startMs - startMs, folder)
    const sockets = new SocketFollower(routes, (made, socket) =>
      recording.streams.begin(made, socket),
    )
    for await (const batch of events()) for (const event of batch) recording.take(event, sockets)
    if (recording.answers.isEmpty && recording.streams.ids.length === 0)
      throw new UserError(
        `${path}: has no exchange and no frame of the contract to be replayed; ` +
          '--tape plays a tape of market events',
      )
    return recording
  }

  /** All frames in order of time. */
  get frames(): RecordedFrames {
    return this.streams.frames
  }

  /** The answer to a request, its body as it is shown at that place; or why there is none. */
  answer(given: GivenRequest, { atMs, shiftMs }: Place): ServedAnswer {
    const movedMs = shiftMs + this.offsetMs
    const asked = askedRequest(given, { shiftMs: movedMs })
    const sent = movedMs === 0 ? asked : askedRequest(given, AS_RECORDED)
    const found = this.answers.find(asked, sent, atMs)
    if ('missed' in found) return found
    const { status, contentType, text } = found.answer
    const body = this.texts.read(text)
    const shown = movedMs === 0 ? body : shownBody(found.answer, body, movedMs)
    return { answer: { status, contentType, body: shown } }
  }

  /** What a subscription was sent; undefined for one that was not recorded. */
  stream(id: string): FramesOfStream | undefined {
    return this.streams.of(id)
  }

  /** Why there is nothing to be sent. */
  missedStream(id: string): string {
    const known = this.streams.ids.map(plainId)
    return unknownText('recorded subscription', plainId(id), known)
  }

  /** What is added to its times for clients that are shown the tape so much later. */
  movedMs(shiftMs: number): number {
    return shiftMs + this.offsetMs
  }

  /** A frame as it was recorded. */
  frameText({ text }: RecordedFrame): string {
    return this.texts.read(text)
  }

  /** A frame as it is shown. */
  shownFrame(recorded: RecordedFrame, channel: Channel, shiftMs: number): string {
    const text = this.frameText(recorded)
    const movedMs = this.movedMs(shiftMs)
    const frame = movedMs === 0 ? null : (jsonOf(text) as { data?: unknown } | undefined)
    if (!frame) return text
    return JSON.stringify({
      ...frame,
      data: shownValue(channel.data, frame.data, { shiftMs: movedMs }),
    })
  }

  private keep({ body, ...answer }: WholeAnswer): void {
    this.answers.add({ ...answer, text: this.texts.add(body) })
  }

  private take(event: TapeEvent, sockets: SocketFollower): void {
    const atMs = event.time + this.offsetMs
    if (event.kind === 'connection') sockets.connection(event.data)
    else if (event.kind === 'frame') {
      const told = sockets.frame(event.data, atMs)
      const { text } = event.data
      if (told && 'question' in told) this.keep(socketAnswer(told, atMs))
      else if (told && text !== undefined) this.streams.add(told, atMs, () => this.texts.add(text))
    } else if (event.kind === 'exchange') {
      const { status, headers, responseBody: body, error } = event.data
      const asked = recordedRequest(event.data, this.routes)
      if (!asked || body === undefined || error !== undefined) this.leftOut++
      else {
        const contentType = headers['content-type'] ?? 'application/json; charset=utf-8'
        this.keep({ asked, atMs, status, contentType, body })
      }
    }
  }
}

/** Channel and key, without the socket. */
const plainId = (id: string): string => id.replace(/^\S+ /, '').replace(/\/+$/, '')

/** An answer with its instants moved, where its data is what the schema says. */
function shownBody({ asked, status }: RecordedAnswer, body: string, shiftMs: number): string {
  const read = status === 200 ? jsonOf(body) : undefined
  if (read === undefined) return body
  const { operation } = asked
  const schema = schemaOf(asked)
  if (operation.envelope.kind === 'bare')
    return JSON.stringify(shownValue(schema, read, { shiftMs }))
  if (typeof read !== 'object' || read === null || !('data' in read)) return body
  return JSON.stringify({ ...read, data: shownValue(schema, read.data, { shiftMs }) })
}

const schemaOf = ({ operation, type }: AskedRequest) =>
  (type === null ? undefined : bodyOf(operation, { type })?.data) ?? operation.data

/** An answer with its body. */
interface WholeAnswer extends Omit<RecordedAnswer, 'text'> {
  body: string
}

/** The venue's status for a question that it cannot read. */
const REFUSED = 422

/** A question that was answered over a socket, as `POST /info` would have been. */
function socketAnswer(
  { question, response: { type, payload } }: RecordedPost,
  atMs: number,
): WholeAnswer {
  const given = { operation: info, params: {}, query: '', body: question }
  const asked = askedRequest(given, AS_RECORDED)
  if (type !== 'info')
    return { asked, atMs, status: REFUSED, contentType: 'text/plain', body: String(payload) }
  const { data = null } = (payload ?? {}) as { data?: unknown }
  const body = JSON.stringify(data)
  return { asked, atMs, status: 200, contentType: 'application/json', body }
}

// The answers of a recording, found by what was asked for and by when.

/** An answer as it was recorded, and what it answered. */
interface RecordedAnswer {
  asked: AskedRequest
  /** When it was there: tape time, ms. */
  atMs: number
  status: number
  contentType: string
  /** The number of its body in the store of texts. */
  text: number
}

/** What is found: an answer, or in words why there is none. */
type FoundAnswer = { answer: RecordedAnswer } | { missed: string }

class RecordedAnswers {
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

  /**
   * The latest at or before an instant, else the first; or which one comes nearest, and why. `sent`
   * has the times that the client named, which are fixed ones where they were recorded just so.
   */
  find(asked: AskedRequest, sent: AskedRequest, atMs: number): FoundAnswer {
    const name = nameOf(asked)
    const request = { asked, sent, atMs }
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

function nearestText(request: SentRequest, group: readonly RecordedAnswer[]): string {
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

// Whether two requests ask for the same: field by field, by what the fields mean.

/** A field that two requests do not have in common; undefined where it was left out. */
interface Difference {
  field: string
  asked: unknown
  recorded: unknown
}

/** A request, and when it was made: tape time, ms. */
interface TimedRequest {
  asked: AskedRequest
  atMs: number
}

/** One that is to be answered, also with its times as the client named them. */
interface SentRequest extends TimedRequest {
  sent: AskedRequest
}

/**
 * So far apart two instants may be that are reckoned from the present: clients ask for "the last
 * hour" a little sooner or later than they did in the recording.
 */
const PRESENT_TOLERANCE_MS = 10_000

/** In what they differ; instants by themselves, and by how far they lie from their present. */
function differences(one: SentRequest, recorded: TimedRequest): Difference[] {
  const names = new Set([...one.asked.fields, ...recorded.asked.fields].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [a, b] = [fieldOf(one.asked, name), fieldOf(recorded.asked, name)]
    const sent = fieldOf(one.sent, name)
    if (a && b && (sameValue(a, b) || isSameDistance(a, b, one.atMs - recorded.atMs))) return []
    if (sent && b && sameValue(sent, b)) return []
    return [{ field: name, asked: sent?.value, recorded: b?.value }]
  })
}

/** One text for all requests that have everything in common but instants. */
const comparisonKey = ({ fields }: AskedRequest): string =>
  JSON.stringify(
    fields
      .filter((field) => !isInstant(field))
      .map(({ name, value, schema }) => [name, comparable(value, schema)]),
  )

/** Whether a request names instants, which `comparisonKey` leaves out. */
const namesInstants = ({ fields }: AskedRequest): boolean => fields.some(isInstant)

const fieldOf = ({ fields }: AskedRequest, name: string): AskedField | undefined =>
  fields.find((field) => field.name === name)

const isInstant = ({ schema }: AskedField): boolean => schema !== null && unitOf(schema) !== null

const sameValue = (a: AskedField, b: AskedField): boolean =>
  JSON.stringify(comparable(a.value, a.schema)) === JSON.stringify(comparable(b.value, b.schema))

function isSameDistance(a: AskedField, b: AskedField, apartMs: number): boolean {
  const unit = a.schema && unitOf(a.schema)
  const [one, other] = [a.value, b.value].map(Number) as [number, number]
  if (unit == null || Number.isNaN(one) || Number.isNaN(other)) return false
  const distance = (one - other) * (unit === 's' ? 1000 : 1)
  return Math.abs(distance - apartMs) <= PRESENT_TOLERANCE_MS
}

/** In what a number that is an instant counts; null for what is none. */
function unitOf(schema: TSchema): 'ms' | 's' | null {
  const unit = (schema['x-time'] ?? anyOf(schema, 'x-time')) as string | undefined
  if (unit === undefined || unit === 'iso' || unit === 'text') return null
  return unit.startsWith('s') && unit !== 'sOrMs' ? 's' : 'ms'
}

const anyOf = (schema: TSchema, keyword: string): unknown =>
  ((schema.anyOf ?? []) as TSchema[]).find((member) => member[keyword] !== undefined)?.[keyword]

/** A list of names is a set: its order says nothing, nor does one that is there twice. */
function comparable(value: unknown, schema: TSchema | null): unknown {
  const items = Array.isArray(value) ? value : listIn(value, schema)
  if (items) {
    const each = items.map((item) => lowerCase(item, schema))
    return isSet(schema) ? [...new Set(each.map((item) => JSON.stringify(item)))].sort() : each
  }
  return lowerCase(value, schema)
}

const listIn = (value: unknown, schema: TSchema | null): string[] | null =>
  typeof value === 'string' && schema?.['x-list'] ? value.split(schema['x-list']) : null

function isSet(schema: TSchema | null): boolean {
  if (!schema) return false
  if (schema['x-list'] || schema['x-repeat']) return true
  const items = schema.items as TSchema | undefined
  const meaning = items && meaningOf(items)
  return meaning === 'address' || meaning === 'coin' || meaning === 'symbol'
}

/** Addresses are the same in any case. */
const lowerCase = (value: unknown, schema: TSchema | null): unknown =>
  typeof value === 'string' && isAddress(schema) ? value.toLowerCase() : value

const isAddress = (schema: TSchema | null): boolean =>
  schema !== null &&
  (meaningOf(schema) === 'address' ||
    (schema.items !== undefined && meaningOf(schema.items as TSchema) === 'address'))
