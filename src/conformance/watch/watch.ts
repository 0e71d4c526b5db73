/** Probes a target repeatedly and reports changes. */

import type { SystemClock } from '../../clock/system-clock.ts'
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import type { Operation } from '../../contract/operation.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import type { QuestionId } from '../../contract/questions.ts'
import { UserError } from '../../platform/user-error.ts'
import { channelOf, operationAt } from '../answer-content.ts'
import { CheckFailure, SkipCase } from '../case-outcome.ts'
import { command, subscriptionKeys } from '../derived/channel-dialogue.ts'
import { callerOf, firstExampleRequest, isSafeToCall } from '../derived/tested-operation.ts'
import { Ledger } from '../ledger/ledger.ts'
import { ledgerResults } from '../ledger/ledger-rule.ts'
import { LEDGER_RULES } from '../ledger/rules.ts'
import { observe } from '../observation.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket, type SocketFrame } from '../probe-socket.ts'
import { isJsonObject } from '../responses.ts'
import type { TargetPlace } from '../target-place.ts'
import type { TargetTransport, TransportRequest } from '../target-transport.ts'
import { afterLook, driftSince, type Look, type ObservedForm, seenForm } from './drift.ts'

/** Result of one pass. */
export type Sighting =
  /** There was no earlier pass. */
  | { kind: 'baseline'; atMs: number; forms: number; questions: number }
  | { kind: 'drift'; atMs: number; drift: string[] }
  /** The target could not be probed, or not completely; the next pass follows anyway. */
  | { kind: 'failed'; atMs: number; why: string }

export interface WatchSettings {
  /** Interval between the starts of two passes, ms; an overrun starts the next at once. */
  everyMs: number
  systemClock: SystemClock
  /** Aborts it, also within a pass. */
  signal: AbortSignal
  /** One pass; a UserError explains its failure. */
  look: (known: Look | null) => Promise<Look>
  /** State of earlier passes; null before the first. */
  read: () => Look | null
  write: (known: Look) => Promise<void>
  /** New contradictions between everything heard in passes so far, a line each. */
  contradictions?: () => Promise<string[]>
  onSighting: (sighting: Sighting) => void
}

/** Repeats passes until the signal. */
export async function watch(settings: WatchSettings): Promise<void> {
  const { everyMs, systemClock, signal, onSighting } = settings
  while (!signal.aborted) {
    const startMs = systemClock.monotonicMs()
    const sighting = await sightingOf(settings)
    if (signal.aborted) return
    onSighting(sighting)
    const leftMs = Math.max(0, everyMs - (systemClock.monotonicMs() - startMs))
    await pause(systemClock, leftMs, signal)
  }
}

async function sightingOf(settings: WatchSettings): Promise<Sighting> {
  const { look, read, write, systemClock, contradictions } = settings
  const atMs = systemClock.nowMs()
  const known = read()
  try {
    const now = await look(known)
    await write(known ? afterLook(known, now) : now)
    if (known) {
      const contradicting = (await contradictions?.()) ?? []
      return { kind: 'drift', atMs, drift: [...driftSince(known, now), ...contradicting] }
    }
    const [forms, questions] = [now.forms, now.questions].map((all) => Object.keys(all).length)
    return { kind: 'baseline', atMs, forms: forms ?? 0, questions: questions ?? 0 }
  } catch (error) {
    if (error instanceof UserError) return { kind: 'failed', atMs, why: error.message }
    throw error
  }
}

function pause(systemClock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = systemClock.startTimer(ms, end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** What a watch has heard in all passes: a later pass may contradict an earlier one. */
export class WatchMemory {
  /** Of the present passes. */
  ledger = new Ledger(WATCH_BOUNDS)
  private readonly reported = new Set<string>()

  /** New contradictions, a line each; when there is no more room, it begins anew. */
  async contradictions(turn: () => Promise<void>): Promise<string[]> {
    const results = await ledgerResults(this.ledger, LEDGER_RULES, turn)
    if (this.ledger.omitted > 0) {
      this.ledger.close()
      this.ledger = new Ledger(WATCH_BOUNDS)
    }
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    return failed.flatMap(({ id, message }) => {
      // Later passes find more of them.
      const line = `${id}: ${message.replace(/ \(the first of \d+\)$/, '')}`
      if (this.reported.has(line)) return []
      this.reported.add(line)
      return [line]
    })
  }

  /** Frees what it keeps. */
  close(): void {
    this.ledger.close()
  }
}

/** Room for the answers of some dozens of passes, characters and bytes. */
const WATCH_BOUNDS = { memory: 16 * 1024 * 1024, disk: 256 * 1024 * 1024 }

// One probe pass over a target, without changes there.

/**
 * Requests every read-only operation, follows every channel, and observes open questions.
 *
 * @param known from earlier passes: a different response is requested twice
 */
export async function lookAt(
  place: TargetPlace,
  systemClock: SystemClock,
  known: Look | null,
): Promise<Look> {
  const forms: Record<string, ObservedForm> = {}
  const note = async (id: string, look: (probe: Probe) => Promise<ObservedForm | null>) => {
    const probe = place.probe('watch')
    const observed = await look(probe).catch(unansweredForm)
    probe.close()
    if (observed !== null) forms[id] = observed
  }
  for (const operation of OPERATIONS.filter(isSafeToCall))
    await note(operation.id, (probe) => answered(probe, operation))
  for (const channel of CHANNELS) await note(channel.id, (probe) => pushed(probe, channel))
  const { target, transport, traffic } = place
  const { questions } = await observe(target, transport, systemClock, traffic)
  const others = Object.keys(questions).filter((id) => questions[id] !== known?.questions[id])
  const again = known
    ? await observe(target, transport, systemClock, traffic, others as QuestionId[])
    : { questions }
  for (const id of others) if (again.questions[id] !== questions[id]) delete questions[id]
  if (traffic.ended) throw new UserError(traffic.ended.message)
  return { forms, questions }
}

/** Unknown items of this pass are not compared. */
function unansweredForm(error: unknown): ObservedForm | null {
  if (error instanceof CheckFailure) return { outcome: error.message, form: {} }
  if (error instanceof SkipCase || error instanceof UserError) return null
  throw error
}

async function answered(probe: Probe, operation: Operation): Promise<ObservedForm | null> {
  if (probe.target.keys[callerOf(operation)] === undefined) return null
  const { status, json } = await probe.request(await firstExampleRequest(probe, operation))
  const code = isJsonObject(json) && json.code !== undefined ? `, code ${json.code}` : ''
  // Data that is the whole response gets the same place as in an envelope.
  const whole = isJsonObject(json) && 'data' in json ? json : { data: json }
  const { data, ...envelope } = whole
  const form = { ...seenForm(envelope, [], ''), ...seenForm(data, [operation.data], 'data') }
  return { outcome: `HTTP ${status}${code}`, form }
}

async function pushed(probe: Probe, channel: Channel): Promise<ObservedForm | null> {
  const [key] = await subscriptionKeys(probe, channel, 1)
  if (!key) return null
  const opened = await probe.tryConnect({ path: channel.dialect.path })
  if (!(opened instanceof ProbeSocket)) return { outcome: `HTTP ${opened.status}`, form: {} }
  const early = await command(probe, opened, channel, 'subscribe', key)
  const isPush = (frame: SocketFrame) => channelOf(channel.dialect.path, frame) === channel
  for (let frame: SocketFrame | null | undefined = early[0], count = 0; frame !== null; count++) {
    if (frame && isPush(frame)) {
      const { data, ...framing } = frame
      const form = { ...seenForm(framing, [], ''), ...seenForm(data, [channel.data], 'data') }
      return { outcome: 'a push', form }
    }
    if (count === FRAMES_MAX) break
    frame = await opened.next(probe.target.patienceMs)
  }
  return null
}

/** Maximum frames of other channels before one of this. */
const FRAMES_MAX = 200

// Read-only access to a target.

/** Blocks every request that changes something. */
export const readOnly = (transport: TargetTransport): TargetTransport => ({
  ...transport,
  async request(sent) {
    if (!isRead(sent)) throw new SkipCase('it would change something at the target')
    return transport.request(sent)
  },
})

/** Undeclared paths are read with GET. */
function isRead({ method, path }: TransportRequest): boolean {
  const whole = path.split('?')[0] ?? ''
  const prefix = PREFIXES.find((one) => whole.startsWith(`${one}/`)) ?? ''
  const operation = operationAt(method, whole.slice(prefix.length))
  return operation === undefined ? method === 'GET' : operation.changes === undefined
}
