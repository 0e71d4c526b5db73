/** The target of a run, tried, and how it is reached. */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { UserError } from '../user-error.ts'
import type { ConformSettings } from './conform-settings.ts'
import { httpTransport } from './http-transport.ts'
import { Probe } from './probe.ts'
import type { Target } from './target.ts'
import { checkTarget } from './target-check.ts'
import { withTriedKeys } from './target-keys.ts'
import type { TargetTransport } from './target-transport.ts'
import { temporarySandbox } from './temporary-sandbox.ts'
import { Traffic } from './traffic.ts'

/** A target that answers, and how it is reached. */
export interface TargetPlace {
  base: string
  target: Target
  transport: TargetTransport
  traffic: Traffic
  /** Looks at it besides the cases, before them all; its nonces begin so. */
  probe(what: string): Probe
}

/** Does something with the target once it answers, and drops what was made for it afterwards. */
export async function withTarget<T>(
  settings: ConformSettings,
  work: (place: TargetPlace) => Promise<T>,
): Promise<T> {
  const { controlUrl, controlToken: token, patienceMs = 5000, timeoutMs } = settings
  const own =
    controlUrl === undefined ? null : await temporarySandbox(controlUrl, patienceMs, token)
  try {
    const { base, target } = own ?? given(settings, patienceMs)
    const bounds = timeoutMs === undefined ? {} : { answerMs: timeoutMs }
    const transport = settings.transport ?? httpTransport(base, bounds)
    const replying = { ...target, ...(timeoutMs === undefined ? {} : { replyMs: timeoutMs }) }
    const traffic = trafficTo(replying, transport, settings)
    const place = placeOf(base, replying, transport, traffic, settings)
    await checkTarget(place.probe('first'), base)
    const tried = await withTriedKeys(place.probe('keys'))
    for (const reason of Object.values(tried.refusedKeys ?? {}))
      settings.onNote?.(`${reason}: what needs it is skipped`)
    return await work(placeOf(base, tried, transport, traffic, settings))
  } finally {
    await own?.drop().catch((error: Error) => settings.onNote?.(`${error.message}: it is left`))
  }
}

/** Another target that the same keys open. */
export function placeBeside({ target }: TargetPlace, base: string): TargetPlace {
  const transport = httpTransport(base)
  const there = { ...target }
  return placeOf(base, there, transport, trafficTo(there, transport, {}), {})
}

/** What the nonces of a run begin with. */
export const nonceStart = (what: string, systemClock: SystemClock): string =>
  `conform-${what}-${systemClock.nowMs().toString(36)}`

function placeOf(
  base: string,
  target: Target,
  transport: TargetTransport,
  traffic: Traffic,
  { systemClock = hostClock }: ConformSettings,
): TargetPlace {
  const probe = (what: string) =>
    new Probe(target, transport, signing(what, systemClock), { gate: traffic.gate(FIRST) })
  return { base, target, transport, traffic, probe }
}

/** Before all cases. */
const FIRST = -1

/** How requests reach a target: as often as is asked for, and for as long as it answers. */
function trafficTo(target: Target, transport: TargetTransport, settings: ConformSettings): Traffic {
  const { systemClock = hostClock, ratePerMinute, signal, onNote } = settings
  const patient: TargetTransport = {
    ...transport,
    request: (sent) => transport.request({ ...sent, isAgain: true }),
  }
  const [alone, inPatience] = [transport, patient].map(
    (by) => new Probe(target, by, signing('alive', systemClock)),
  ) as [Probe, Probe]
  const traffic = new Traffic({
    systemClock,
    ...(ratePerMinute === undefined ? {} : { perMinute: ratePerMinute }),
    isAlive: async (isPatient) => {
      const by = isPatient ? inPatience : alone
      const answer = await by.request({ ...FIRST_LOOK, allowRateLimit: true }).catch(unanswered)
      return answer !== null && answer.status < 500
    },
    onSlower: onlyOnce(() => onNote?.('the target refuses requests as too many: they wait')),
  })
  const interrupt = () => traffic.end('it was interrupted', GRACE_MS)
  if (signal?.aborted) interrupt()
  else signal?.addEventListener('abort', interrupt, { once: true })
  return traffic
}

const FIRST_LOOK = { path: '/hl/tickers' }

/** For so long cases that were interrupted may put back what they changed. */
const GRACE_MS = 5_000

function unanswered(error: unknown): null {
  if (error instanceof UserError) return null
  throw error
}

function onlyOnce(task: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) task()
    isDone = true
  }
}

let count = 0

const signing = (what: string, systemClock: SystemClock) => {
  const start = nonceStart(what, systemClock)
  return {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
}

function given(settings: ConformSettings, patienceMs: number) {
  const { baseUrl, keys, inviteToken, inventory } = settings
  if (baseUrl === undefined || keys === undefined)
    throw new UserError('conform needs baseUrl and keys, or controlUrl')
  const target: Target = {
    keys,
    patienceMs,
    ...(inviteToken === undefined ? {} : { inviteToken }),
    ...(inventory === undefined ? {} : { inventory }),
  }
  return { base: baseUrl, target }
}
