/** Each key that was given is tried before anything is judged with it. */

import { isJsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { KeyRole, Target } from './target.ts'

/** What each is tried with: a target that refuses one of these has the others to be known by. */
const TRIALS: Record<Exclude<KeyRole, 'full'>, readonly string[]> = {
  partner: ['/distributor/info', '/distributor/quota', '/distributor/levels'],
  sub: ['/hl/tickers', '/hl/whales/directions', '/coin'],
  bare: ['/hl/tickers', '/hl/whales/directions', '/coin'],
}

const NAMES = { partner: 'the key of the distributor', sub: 'the sub key', bare: 'the bare key' }

/** The target with those keys that it accepts, and why it does not have the others. */
export async function withTriedKeys(probe: Probe): Promise<Target> {
  const { target } = probe
  const [keys, refusedKeys] = [{ ...target.keys }, { ...target.refusedKeys }]
  for (const role of ['partner', 'sub', 'bare'] as const) {
    if (keys[role] === undefined) continue
    const reason = await refusalOf(probe, role)
    if (reason === null) continue
    delete keys[role]
    refusedKeys[role] = `${NAMES[role]} ${reason}`
  }
  return { ...target, keys, refusedKeys }
}

/** Why a key is of no use; null when it is of some. */
async function refusalOf(probe: Probe, role: keyof typeof TRIALS): Promise<string | null> {
  const answers: ProbeExchange[] = []
  for (const path of TRIALS[role]) {
    const answer = await probe.request({ path, signedBy: role })
    const isRefused = isUnknown(answer) || (role === 'partner' && answer.status === 403)
    if (!isRefused) return null
    answers.push(answer)
  }
  return answers.every(isUnknown)
    ? 'is not accepted (401 Invalid signature)'
    : 'is not that of a distributor (403)'
}

const isUnknown = ({ status, json }: ProbeExchange): boolean =>
  status === 401 || (isJsonObject(json) && String(json.code) === '401')
