/** A market behind a real port. */
import { afterAll } from 'bun:test'
import type { Machine } from '../src/clock/machine.ts'
import { controlRoutes } from '../src/control/index.ts'
import type { Registry } from '../src/sandbox/registry.ts'
import type { Wish } from '../src/sandbox/wish.ts'
import { server } from '../src/transport/elysia/server.ts'
import { still } from './still-machine.ts'
import { toyRegistry } from './toy-market.ts'

const open: { stop(closeActive: boolean): unknown }[] = []
afterAll(() => Promise.all(open.map((app) => app.stop(true))))

/**
 * Serves the toy market with a held clock, on a machine that stands still unless another is given.
 * Closed after the test file.
 */
export async function serve(wish: Wish = {}, token: string | null = null, by: Machine = still) {
  return put(await toyRegistry({ epoch: 'tape', ...wish }, 60, by), token)
}

/** Puts a registry on a port. Closed after the test file. */
export async function put(registry: Registry, token: string | null = null) {
  const pages = new Map()
  const app = server({ registry, control: controlRoutes(registry, { token }), pages }).listen(0)
  open.push(app)
  const origin = `http://localhost:${app.server?.port}`
  const control = async (method: string, path: string, body?: unknown, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${origin}/_control${path}`, { method, headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as Said }
  }
  return { origin, registry, control }
}

export const P = '/api/upgrade/v2'

/** What the control plane says, as far as it is looked at here. */
interface Said {
  error: string
  baseUrl: string
  keys: { full: { accessKey: string; secretKey: string } }
  playhead: { at: number }
}

/** A socket client that can wait for frames. */
export function connect(origin: string, path: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`)
  const heard: string[] = []
  const waiting: (() => void)[] = []
  socket.onmessage = ({ data }) => {
    heard.push(data)
    for (const wake of waiting.splice(0)) wake()
  }
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  const opened = new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
  const frames = async (count: number) => {
    while (heard.length < count) await new Promise<void>((wake) => waiting.push(wake))
    return heard.splice(0, count).map((text) => JSON.parse(text))
  }
  return { socket, opened, closed, frames }
}
