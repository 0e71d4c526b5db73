/** A market on which a scenario of the library is played. */
import path from 'node:path'
import type { Wish } from '../../src/sandbox/wish.ts'
import { shelfOf } from '../../src/scenario/shelf.ts'
import { type MemorySocket, memory } from '../../src/transport/memory/memory.ts'
import { realRegistry } from '../real-market.ts'
import { signed } from '../toy-market.ts'

export const FOLDER = path.join(import.meta.dir, '../../scenarios')
export const shelf = shelfOf(FOLDER)
const P = '/api/upgrade/v2'

/** The default market under a scenario; its clock is held, and its hands are the test's. */
export async function played(name: string, wish: Wish = {}) {
  const scenarios = [shelf(name)]
  const market = await realRegistry({ epoch: 'tape', metering: 'on', ...wish, scenarios })
  const { registry, sandbox } = market
  const { request, connect } = memory(registry)
  const join = (where: string, query: string) =>
    `${P}${where}${where.includes('?') ? '&' : '?'}${query}`
  const ask = (where: string, key = 'demo', body?: object) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return request(body ? 'POST' : 'GET', join(where, signed(key, -1)), text)
  }
  const open = (where = '/hl/ws', key = 'demo') => connect(join(where, signed(key, -1)))
  const socket = (...channels: object[]) => {
    const made = open()
    if (!('frames' in made)) throw new Error(made.body)
    for (const subscription of channels)
      made.send(JSON.stringify({ method: 'subscribe', subscription }))
    return made
  }
  return { ...market, ask, open, socket, advance: (ms: number) => sandbox.clock.advance(ms) }
}

/** The frames so far, of one channel or of all. */
export const heard = (socket: MemorySocket, channel?: string): Frame[] =>
  socket.frames
    .splice(0)
    .map((text) => JSON.parse(text) as Frame)
    .filter((frame) => channel === undefined || frame.channel === channel)

export interface Frame {
  channel: string
  type?: string
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked into by the tests
  data: any
}

/** The body of an answer as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
export const json = ({ body }: { body: string }): any => JSON.parse(body)

/** Statuses of so many requests, one after another. */
export const statuses = (count: number, ask: () => { status: number }) =>
  Array.from({ length: count }, () => ask().status)
