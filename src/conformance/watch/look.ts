/** One look at a target that changes nothing there. */

import type { SystemClock } from '../../clock/system-clock.ts'
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import type { Operation } from '../../contract/operation.ts'
import type { QuestionId } from '../../contract/questions.ts'
import { UserError } from '../../platform/user-error.ts'
import { CheckFailure, SkipCase } from '../case-outcome.ts'
import { command } from '../derived/channels/channel-dialogue.ts'
import { subscriptionKeys } from '../derived/channels/subscription-keys.ts'
import { callerOf, firstExampleRequest, isSafeToCall } from '../derived/example-requests.ts'
import { observe } from '../observation.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket, type SocketFrame } from '../probe-socket.ts'
import { channelOf } from '../said-data.ts'
import type { TargetPlace } from '../target-place.ts'
import { seenForm } from './answer-form.ts'
import type { HeardForm, Look } from './drift.ts'

/**
 * Asks every operation that only reads, follows every channel, and observes open questions.
 *
 * @param known from looks before: what is answered otherwise now is asked twice
 */
export async function lookAt(
  place: TargetPlace,
  systemClock: SystemClock,
  known: Look | null,
): Promise<Look> {
  const forms: Record<string, HeardForm> = {}
  const note = async (id: string, look: (probe: Probe) => Promise<HeardForm | null>) => {
    const probe = place.probe('watch')
    const heard = await look(probe).catch(unheard)
    probe.close()
    if (heard !== null) forms[id] = heard
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

/** What cannot be found out this time is not compared. */
function unheard(error: unknown): HeardForm | null {
  if (error instanceof CheckFailure) return { outcome: error.message, form: {} }
  if (error instanceof SkipCase || error instanceof UserError) return null
  throw error
}

async function answered(probe: Probe, operation: Operation): Promise<HeardForm | null> {
  if (probe.target.keys[callerOf(operation)] === undefined) return null
  const { status, json } = await probe.request(await firstExampleRequest(probe, operation))
  const code = isJsonObject(json) && json.code !== undefined ? `, code ${json.code}` : ''
  // Where the data is the whole answer it has the same place as anywhere else.
  const whole = isJsonObject(json) && 'data' in json ? json : { data: json }
  const { data, ...envelope } = whole
  const form = { ...seenForm(envelope, [], ''), ...seenForm(data, [operation.data], 'data') }
  return { outcome: `HTTP ${status}${code}`, form }
}

async function pushed(probe: Probe, channel: Channel): Promise<HeardForm | null> {
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

/** Of other channels, before one of this comes. */
const FRAMES_MAX = 200
