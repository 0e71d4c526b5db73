/** A recording that is served unchanged. */

import type { Channel } from '../../../contract/channel.ts'
import { unknownText } from '../../../contract/fields/nearest-name.ts'
import { meaningOf } from '../../../contract/meaning.ts'
import { bodyOf } from '../../../contract/operation.ts'
import type { TSchema } from '../../../contract/schema.ts'
import { shownValue } from '../../../contract/shown-value.ts'
import { info } from '../../../contract/venue.ts'
import { UserError } from '../../../platform/user-error.ts'
import { fileDigest } from '../../compression.ts'
import type { TapeEvent } from '../../tape-event.ts'
import { openTape } from '../../tape-reader.ts'
import { type RecordedPost, SocketFollower } from '../socket-follower.ts'
import type { RecordedRoutes } from '../upstream.ts'
import {
  AS_RECORDED,
  type GivenRequest,
  jsonOf,
  type ReplayRequest,
  type RequestedField,
  recordedRequest,
  replayRequest,
} from '../upstream.ts'
import type { RecordedFrame, RecordedFrames } from './recorded-frames.ts'
import { TextStore } from './recorded-frames.ts'
import { type FramesOfStream, RecordedStreams } from './recorded-streams.ts'

/** Position of the playhead, and its shift to shown time. */
interface Place {
  atMs: number
  shiftMs: number
}

/** Span of the tape during playback. */
interface TapeTimes {
  startMs: number
  tapeEndMs: number
}

/** A served response with its body in shown time; or the reason, as text, for none. */
export type ServedAnswer =
  | { answer: { status: number; contentType: string; body: string } }
  | { missed: string }

/**
 * The responses and frames of a recording along a tape.
 *
 * Where the times of both overlap, as they do when the tape was made from the recording, it keeps
 * its own; else it begins with the tape.
 */
export class Recording {
  private readonly answers = new RecordedAnswers()
  private readonly texts: TextStore
  private readonly streams = new RecordedStreams()
  /** Number of skipped items, which are not in the contract or no text. */
  leftOut = 0

  private constructor(
    /** Its digest, shortened. */
    readonly id: string,
    private readonly routes: RecordedRoutes,
    /** Shift of its times to the tape's. */
    private readonly offsetMs: number,
    folder: string,
  ) {
    this.texts = new TextStore(folder)
  }

  /** @param folder storage of bodies and frames while it is served */
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

  /** The response to a request, its body in shown time; or the reason for none. */
  answer(given: GivenRequest, { atMs, shiftMs }: Place): ServedAnswer {
    const movedMs = shiftMs + this.offsetMs
    const requested = replayRequest(given, { shiftMs: movedMs })
    const sent = movedMs === 0 ? requested : replayRequest(given, AS_RECORDED)
    const found = this.answers.find(requested, sent, atMs)
    if ('missed' in found) return found
    const { status, contentType, text } = found.answer
    const body = this.texts.read(text)
    const shown = movedMs === 0 ? body : shownBody(found.answer, body, movedMs)
    return { answer: { status, contentType, body: shown } }
  }

  /** Frames of a subscription; undefined for an unrecorded one. */
  stream(id: string): FramesOfStream | undefined {
    return this.streams.of(id)
  }

  /** Reason for a missing stream. */
  missedStream(id: string): string {
    const known = this.streams.ids.map(plainId)
    return unknownText('recorded subscription', plainId(id), known)
  }

  /** Shift of its times for clients with a given shift of shown time. */
  movedMs(shiftMs: number): number {
    return shiftMs + this.offsetMs
  }

  /** A frame as it was recorded. */
  frameText({ text }: RecordedFrame): string {
    return this.texts.read(text)
  }

  /** A frame in shown time. */
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
      const reported = sockets.frame(event.data, atMs)
      const { text } = event.data
      if (reported && 'question' in reported) this.keep(socketAnswer(reported, atMs))
      else if (reported && text !== undefined)
        this.streams.add(reported, atMs, () => this.texts.add(text))
    } else if (event.kind === 'exchange') {
      const { status, headers, responseBody: body, error } = event.data
      const requested = recordedRequest(event.data, this.routes)
      if (!requested || body === undefined || error !== undefined) this.leftOut++
      else {
        const contentType = headers['content-type'] ?? 'application/json; charset=utf-8'
        this.keep({ requested, atMs, status, contentType, body })
      }
    }
  }
}

/** Channel and key, without the socket. */
const plainId = (id: string): string => id.replace(/^\S+ /, '').replace(/\/+$/, '')

/** A response with its instants shifted, where its data matches the schema. */
function shownBody({ requested, status }: RecordedAnswer, body: string, shiftMs: number): string {
  const read = status === 200 ? jsonOf(body) : undefined
  if (read === undefined) return body
  const { operation } = requested
  const schema = schemaOf(requested)
  if (operation.envelope.kind === 'bare')
    return JSON.stringify(shownValue(schema, read, { shiftMs }))
  if (typeof read !== 'object' || read === null || !('data' in read)) return body
  return JSON.stringify({ ...read, data: shownValue(schema, read.data, { shiftMs }) })
}

const schemaOf = ({ operation, type }: ReplayRequest) =>
  (type === null ? undefined : bodyOf(operation, { type })?.data) ?? operation.data

/** A response with its body. */
interface WholeAnswer extends Omit<RecordedAnswer, 'text'> {
  body: string
}

/** The venue's status for an unreadable request. */
const REFUSED = 422

/** A request answered over a socket, as `POST /info` would have been. */
function socketAnswer(
  { question, response: { type, payload } }: RecordedPost,
  atMs: number,
): WholeAnswer {
  const given = { operation: info, params: {}, query: '', body: question }
  const requested = replayRequest(given, AS_RECORDED)
  if (type !== 'info')
    return { requested, atMs, status: REFUSED, contentType: 'text/plain', body: String(payload) }
  const { data = null } = (payload ?? {}) as { data?: unknown }
  const body = JSON.stringify(data)
  return { requested, atMs, status: 200, contentType: 'application/json', body }
}

// Responses of a recording, found by request and time.

/** A recorded response and its request. */
interface RecordedAnswer {
  requested: ReplayRequest
  /** Its time: tape time, ms. */
  atMs: number
  status: number
  contentType: string
  /** Index of its body in the store. */
  text: number
}

/** Result of a search: a response, or the reason, as text, for none. */
type FoundAnswer = { answer: RecordedAnswer } | { missed: string }

class RecordedAnswers {
  /** By operation and type of body, each in order of time. */
  private readonly groups = new Map<string, RecordedAnswer[]>()
  private readonly byKey = new Map<string, RecordedAnswer[]>()

  get isEmpty(): boolean {
    return this.groups.size === 0
  }

  /** In order of time. */
  add(reported: RecordedAnswer): void {
    const name = nameOf(reported.requested)
    const key = `${name} ${comparisonKey(reported.requested)}`
    const known = this.byKey.get(key)?.[0]
    const { requested, contentType } = known && hasNoInstants(known) ? known : reported
    // Parts common to many requests are kept once.
    const isAlike = contentType === reported.contentType && hasNoInstants(reported)
    const answer = isAlike ? { ...reported, requested, contentType } : reported
    append(this.groups, name, answer)
    append(this.byKey, key, answer)
  }

  /**
   * The latest at or before an instant, else the first; or the nearest one, and how it differs.
   * `sent` has the client's original times, which match exactly where they were recorded as fixed
   * ones.
   */
  find(requested: ReplayRequest, sent: ReplayRequest, atMs: number): FoundAnswer {
    const name = nameOf(requested)
    const request = { requested, sent, atMs }
    const alike = this.byKey.get(`${name} ${comparisonKey(requested)}`) ?? []
    const isSame = (one: RecordedAnswer) => differences(request, one).length === 0
    const same = namesInstants(requested) ? alike.filter(isSame) : alike.filter(hasNoInstants)
    const found = latest(same, atMs)
    if (found) return { answer: found }
    const group = this.groups.get(name)
    if (!group) return { missed: this.unknownText(requested, name) }
    return { missed: `not recorded: ${name}; ${nearestText(request, group)}` }
  }

  /** The venue's clients and those of the contract have bodies in common, at other paths. */
  private unknownText({ type }: ReplayRequest, name: string): string {
    const names = [...this.groups.keys()]
    const twin = type !== null && names.find((one) => one.endsWith(`/${type}`))
    if (!twin) return unknownText('recorded operation', name, names)
    const profile = twin.startsWith('venue.') ? 'raw' : 'contract'
    const which = `which a sandbox of profile "${profile}" answers`
    return `not recorded: ${name}; there is ${twin}, ${which}`
  }
}

const nameOf = ({ operation, type }: ReplayRequest): string =>
  type === null ? operation.id : `${operation.id}/${type}`

const latest = (answers: readonly RecordedAnswer[], atMs: number): RecordedAnswer | undefined =>
  answers.findLast((answer) => answer.atMs <= atMs) ?? answers[0]

/** Number of latest responses searched for the nearest. */
const COMPARED_MAX = 500

const hasNoInstants = ({ requested }: RecordedAnswer): boolean => !namesInstants(requested)

function nearestText(request: SentRequest, group: readonly RecordedAnswer[]): string {
  let nearest: { answer: RecordedAnswer; wrong: Difference[] } | null = null
  for (const answer of group.slice(-COMPARED_MAX)) {
    const wrong = differences(request, answer)
    // Of several equal ones the latest that is not in the future.
    const isBetter =
      !nearest ||
      wrong.length < nearest.wrong.length ||
      (wrong.length === nearest.wrong.length && answer.atMs <= request.atMs)
    if (isBetter) nearest = { answer, wrong }
  }
  if (!nearest) return 'nothing was'
  const { answer, wrong } = nearest
  const fields = wrong.map(
    ({ field, requested, recorded }) =>
      `${field} is ${valueText(recorded)} there and ${valueText(requested)} here`,
  )
  return `the nearest is of ${new Date(answer.atMs).toISOString()}: ${fields.join(', ')}`
}

/** Maximum characters of a shown value. */
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

// Compares two requests field by field, by the meaning of the fields.

/** A field that differs between two requests; undefined where it was left out. */
interface Difference {
  field: string
  requested: unknown
  recorded: unknown
}

/** A request and its time: tape time, ms. */
interface TimedRequest {
  requested: ReplayRequest
  atMs: number
}

/** One to be answered, also with the client's original times. */
interface SentRequest extends TimedRequest {
  sent: ReplayRequest
}

/**
 * Tolerance of two instants relative to the present: clients request "the last hour" a little
 * sooner or later than in the recording.
 */
const PRESENT_TOLERANCE_MS = 10_000

/** Their differences; instants are compared absolutely, and relative to their present. */
function differences(one: SentRequest, recorded: TimedRequest): Difference[] {
  const names = new Set(
    [...one.requested.fields, ...recorded.requested.fields].map(({ name }) => name),
  )
  return [...names].flatMap((name) => {
    const [a, b] = [fieldOf(one.requested, name), fieldOf(recorded.requested, name)]
    const sent = fieldOf(one.sent, name)
    if (a && b && (sameValue(a, b) || isSameDistance(a, b, one.atMs - recorded.atMs))) return []
    if (sent && b && sameValue(sent, b)) return []
    return [{ field: name, requested: sent?.value, recorded: b?.value }]
  })
}

/** Key of requests that are equal except for instants. */
const comparisonKey = ({ fields }: ReplayRequest): string =>
  JSON.stringify(
    fields
      .filter((field) => !isInstant(field))
      .map(({ name, value, schema }) => [name, comparable(value, schema)]),
  )

/** Whether a request contains instants, which `comparisonKey` leaves out. */
const namesInstants = ({ fields }: ReplayRequest): boolean => fields.some(isInstant)

const fieldOf = ({ fields }: ReplayRequest, name: string): RequestedField | undefined =>
  fields.find((field) => field.name === name)

const isInstant = ({ schema }: RequestedField): boolean =>
  schema !== null && unitOf(schema) !== null

const sameValue = (a: RequestedField, b: RequestedField): boolean =>
  JSON.stringify(comparable(a.value, a.schema)) === JSON.stringify(comparable(b.value, b.schema))

function isSameDistance(a: RequestedField, b: RequestedField, apartMs: number): boolean {
  const unit = a.schema && unitOf(a.schema)
  const [one, other] = [a.value, b.value].map(Number) as [number, number]
  if (unit == null || Number.isNaN(one) || Number.isNaN(other)) return false
  const distance = (one - other) * (unit === 's' ? 1000 : 1)
  return Math.abs(distance - apartMs) <= PRESENT_TOLERANCE_MS
}

/** Unit of a number that is an instant; null for any other. */
function unitOf(schema: TSchema): 'ms' | 's' | null {
  const unit = (schema['x-time'] ?? anyOf(schema, 'x-time')) as string | undefined
  if (unit === undefined || unit === 'iso' || unit === 'text') return null
  return unit.startsWith('s') && unit !== 'sOrMs' ? 's' : 'ms'
}

const anyOf = (schema: TSchema, keyword: string): unknown =>
  ((schema.anyOf ?? []) as TSchema[]).find((member) => member[keyword] !== undefined)?.[keyword]

/** A list of names is a set: order and repetitions are ignored. */
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

/** Addresses are case-insensitive. */
const lowerCase = (value: unknown, schema: TSchema | null): unknown =>
  typeof value === 'string' && isAddress(schema) ? value.toLowerCase() : value

const isAddress = (schema: TSchema | null): boolean =>
  schema !== null &&
  (meaningOf(schema) === 'address' ||
    (schema.items !== undefined && meaningOf(schema.items as TSchema) === 'address'))
