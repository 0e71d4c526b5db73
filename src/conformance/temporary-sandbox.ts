/** A sandbox made for a run by the control plane of a stand-in, and dropped after it. */

import type { Method } from '../contract/operation.ts'
import { UserError } from '../platform/user-error.ts'
import { httpTransport } from './http-transport.ts'
import type { KeyRole, Target, TargetControl, TargetKey } from './target.ts'

/** Where a market stands, and its tape's ends, tape time, ms. */
interface SandboxRecord {
  playhead: { start: number; stop: number }
}

interface CreatedSandbox {
  id: string
  baseUrl: string
  inviteToken: string
  keys: Record<KeyRole, { accessKey: string; secretKey: string }>
}

/** Noon of a Wednesday in spring. */
const FIRST_MS = Date.UTC(2026, 2, 4, 12)

/**
 * Its clock stands until it is moved, and is what signatures are judged by: nothing in it depends
 * on when it is asked, or how fast.
 *
 * @param control `http://127.0.0.1:4010/_control`; a UserError when it makes no sandbox
 * @param token of the control plane, where it wants one
 */
export async function temporarySandbox(control: string, patienceMs: number, token?: string) {
  const call = callsOf(control, token)
  let nowMs = FIRST_MS
  const others = new Map<string, Promise<CreatedSandbox>>()
  const made = (await call('POST', '/sandboxes', HELD)) as CreatedSandbox
  const at = await late(made, call)
  const target: Target = {
    ...(await targetOf(made, call)),
    inviteToken: made.inviteToken,
    nowMs: () => nowMs,
    control: {
      ...targetControlOf(`/sandboxes/${made.id}`, call, (ms) => {
        nowMs += ms
      }),
      async answering(questions) {
        const name = JSON.stringify(questions)
        const other = others.get(name) ?? call('POST', '/sandboxes', { ...HELD, at, questions })
        others.set(name, other as Promise<CreatedSandbox>)
        const sandbox = (await other) as CreatedSandbox
        const transport = httpTransport(sandbox.baseUrl)
        const there = { ...(await targetOf(sandbox, call)), nowMs: () => FIRST_MS, patienceMs }
        return { target: there, transport }
      },
    },
    patienceMs,
  }
  const drop = async () => {
    for (const { id } of [made, ...(await Promise.all(others.values()))])
      await call('DELETE', `/sandboxes/${id}`)
  }
  return { base: made.baseUrl, target, drop }
}

function callsOf(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async (method: Method, path: string, body?: object) => {
    const transport = httpTransport(url, {}, headers)
    const sent = body ? { body: JSON.stringify(body) } : {}
    const said = await transport.request({ method, path, ...sent }).catch((error) => {
      throw error instanceof UserError ? new UserError(`${url}: ${error.message}`) : error
    })
    if (said.status === 200) return JSON.parse(said.text)
    const answer = `${url}${path} answers ${said.status} ${said.text.slice(0, 200)}`
    const isElsewhere = said.status === 404 && path === '/sandboxes'
    throw new UserError(isElsewhere ? `${answer}${ELSEWHERE}` : answer)
  }
}

const ELSEWHERE = ': --control is the control plane, such as http://127.0.0.1:4010/_control'

const HELD = { clock: 'held', now: FIRST_MS, signatureTime: 'session' }

/** Puts its market where most of its tape has happened: an account is asked what it has done. */
async function late({ id }: CreatedSandbox, call: ControlCall): Promise<number> {
  const { playhead } = (await call('GET', `/sandboxes/${id}`)) as SandboxRecord
  const at = Math.floor(playhead.start + 0.8 * (playhead.stop - playhead.start))
  await call('PUT', `/sandboxes/${id}/playhead`, { at })
  return at
}

async function targetOf({ id, keys }: CreatedSandbox, call: ControlCall) {
  const key = (who: KeyRole): TargetKey => ({
    accessKey: keys[who].accessKey,
    secretKey: keys[who].secretKey,
  })
  const inventory = (await call('GET', `/sandboxes/${id}/cast`)) as NonNullable<Target['inventory']>
  return {
    keys: { full: key('full'), partner: key('partner'), sub: key('sub'), bare: key('bare') },
    inventory,
  }
}

type ControlCall = (method: Method, path: string, body?: object) => Promise<unknown>

/** Time, market and keys of the sandbox, by its control plane. */
const targetControlOf = (
  at: string,
  call: ControlCall,
  onMove: (ms: number) => void,
): TargetControl => ({
  async advance(ms) {
    await call('POST', `${at}/clock/advance`, { ms })
    onMove(ms)
  },
  async freeze() {
    await call('PUT', `${at}/playhead`, { speed: 0 })
    return async () => void (await call('PUT', `${at}/playhead`, { speed: 1 }))
  },
  async subKey(level) {
    const made = await call('POST', `${at}/keys`, { kind: 'sub', level })
    const { accessKey, secretKey } = made as Record<string, string>
    const remove = async () => void (await call('DELETE', `${at}/keys/${accessKey}`))
    return { key: { accessKey: accessKey ?? '', secretKey: secretKey ?? '' }, remove }
  },
})
