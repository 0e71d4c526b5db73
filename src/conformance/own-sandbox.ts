/** A sandbox made for a run by the control plane of a stand-in, and dropped after it. */
import { machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import type { Method } from '../contract/operation.ts'
import { httpCarrier } from './http-carrier.ts'
import { Finding } from './probe.ts'
import type { Target, TargetKey, Who } from './target.ts'

interface MadeKey {
  access_key: string
  secret_key: string
}

interface Made {
  id: string
  base_url: string
  invite_token: string
  keys: Record<Who, MadeKey>
}

/** @param control `http://127.0.0.1:4010/_control`; a Complaint when it makes no sandbox */
export async function ownSandbox(control: string, patienceMs: number) {
  const call = async (method: Method, path: string, body?: object) => {
    const carrier = httpCarrier(control, machine)
    const sent = body ? { body: JSON.stringify(body) } : {}
    const said = await carrier.request({ method, path, ...sent }).catch((error) => {
      throw error instanceof Finding ? new Complaint(`${control}: ${error.message}`) : error
    })
    if (said.status !== 200)
      throw new Complaint(`${control}${path} answers ${said.status} ${said.text.slice(0, 200)}`)
    return JSON.parse(said.text)
  }
  const made = (await call('POST', '/sandboxes', {})) as Made
  const at = `/sandboxes/${made.id}`
  const key = (who: Who): TargetKey => ({
    accessKey: made.keys[who].access_key,
    secretKey: made.keys[who].secret_key,
  })
  const target: Target = {
    keys: { full: key('full'), partner: key('partner'), sub: key('sub'), bare: key('bare') },
    inviteToken: made.invite_token,
    control: {
      advance: async (ms) => void (await call('POST', `${at}/clock/advance`, { ms })),
      hold: async () => {
        const set = async (state: string) => void (await call('PUT', `${at}/clock`, { state }))
        await set('held')
        return () => set('running')
      },
      freeze: async () => {
        const run = async (speed: number) => void (await call('PUT', `${at}/playhead`, { speed }))
        await run(0)
        return () => run(1)
      },
      subKey: async (level) => {
        const wish = { kind: 'sub', distributor: made.keys.partner.access_key, level }
        const key = (await call('POST', `${at}/keys`, wish)) as MadeKey
        const remove = async () => void (await call('DELETE', `${at}/keys/${key.access_key}`))
        return { key: { accessKey: key.access_key, secretKey: key.secret_key }, remove }
      },
    },
    known: { builders: (await call('GET', `${at}/cast`)).builders },
    patienceMs,
  }
  return { base: made.base_url, target, drop: async () => void (await call('DELETE', at)) }
}
