/** A recording that is served back as it is. */
import type { Channel } from '../../contract/channel.ts'
import { bodyOf } from '../../contract/operation.ts'
import { shownValue } from '../../contract/shown-value.ts'
import { unknownText } from '../../suggestion/nearest-name.ts'
import { fileDigest } from '../../tape/file-digest.ts'
import type { TapeEvent } from '../../tape/tape-event.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { UserError } from '../../user-error.ts'
import { type AskedRequest, askedRequest, type GivenRequest } from '../asked-request.ts'
import { jsonOf } from '../json-text.ts'
import { recordedRequest } from '../recorded-exchange.ts'
import type { RecordedRoutes } from '../recorded-routes.ts'
import { SocketFollower } from '../socket-follower.ts'
import { type RecordedAnswer, RecordedAnswers } from './recorded-answers.ts'
import type { RecordedFrame, RecordedFrames } from './recorded-frames.ts'
import { type FramesOfStream, RecordedStreams } from './recorded-streams.ts'
import { socketAnswer, type WholeAnswer } from './socket-answer.ts'
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
    const found = this.answers.find(asked, atMs)
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
