/** The default recording behind its door, as tests of content ask it. */
import { credentials } from '../src/contract/signature.ts'
import { memory } from '../src/transport/memory/memory.ts'
import { realRegistry } from './real-market.ts'
import { stillS } from './still-machine.ts'
import { signed } from './toy-market.ts'

export const P = '/api/upgrade/v2'

/** Signed for the next second: no step of a clock within this one makes it too old. */
export const now = () => signed('demo', -1)

/** The default recording, asked for its content. */
export async function market(wish = {}) {
  const { registry, sandbox, cast } = await realRegistry(wish)
  const door = memory(registry)
  const get = (path: string, query: Record<string, string> = {}) => {
    const text = new URLSearchParams(query).toString()
    const { status, body } = door.request('GET', `${P}/content/${path}?${text}&${now()}`)
    return { status, ...JSON.parse(body) }
  }
  const post = (body: object) =>
    JSON.parse(door.request('POST', `${P}/content/ai-coins`, JSON.stringify(body)).body)
  const nowS = () => Math.floor((sandbox.here().atMs + sandbox.here().shiftMs) / 1000)
  return { sandbox, cast, get, post, nowS, door }
}

/** A signature that stands in a body. */
export const inBody = () => {
  const key = { accessKey: 'demo', secretKey: 'demo-secret' }
  return credentials({ ...key, nonce: 'x', timestampS: stillS() })
}
