/** A sandbox made for a run by the control plane of a stand-in, and dropped after it. */
import { Complaint } from '../complaint.ts'
import type { Method } from '../contract/operation.ts'
import { httpCarrier } from './http-carrier.ts'
import type { Target, TargetControl, TargetKey, Who } from './target.ts'

interface Made {
  id: string
  baseUrl: string
  inviteToken: string
  keys: Record<Who, { accessKey: string; secretKey: string }>
}

/** @param control `http://127.0.0.1:4010/_control`; a Complaint when it makes no sandbox */
export async function ownSandbox(control: string, patienceMs: number) {
  const call = async (method: Method, path: string, body?: object) => {
    const carrier = httpCarrier(control)
    const sent = body ? { body: JSON.stringify(body) } : {}
    const said = await carrier.request({ method, path, ...sent }).catch((error) => {
      throw error instanceof Complaint ? new Complaint(`${control}: ${error.message}`) : error
    })
    if (said.status !== 200)
      throw new Complaint(`${control}${path} answers ${said.status} ${said.text.slice(0, 200)}`)
    return JSON.parse(said.text)
  }
  const made = (await call('POST', '/sandboxes', {})) as Made
  const at = `/sandboxes/${made.id}`
  const key = (who: Who): TargetKey => ({
    accessKey: made.keys[who].accessKey,
    secretKey: made.keys[who].secretKey,
  })
  const target: Target = {
    keys: { full: key('full'), partner: key('partner'), sub: key('sub'), bare: key('bare') },
    inviteToken: made.inviteToken,
    control: handOn(at, call),
    known: (await call('GET', `${at}/cast`)) as { builders: string[] },
    patienceMs,
  }
  return { base: made.baseUrl, target, drop: async () => void (await call('DELETE', at)) }
}

type Call = (method: Method, path: string, body?: object) => Promise<unknown>

/**
 * Time, market and keys of the sandbox, by its control plane. Its clock runs until it is first
 * moved, and is held from then on: cases that move it count on nothing else doing so.
 */
const handOn = (at: string, call: Call): TargetControl => ({
  async advance(ms) {
    await call('PUT', `${at}/clock`, { state: 'held' })
    await call('POST', `${at}/clock/advance`, { ms })
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
