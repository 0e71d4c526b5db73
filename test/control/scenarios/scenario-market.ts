/** A market on which a scenario of the library is played. */
import path from 'node:path'
import type { SandboxOptions } from '../../../src/sandbox/sandbox-options.ts'
import { scenarioLibrary } from '../../../src/scenario/scenario-library.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../../src/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PROJECT_FOLDER } from '../../fixtures/project-folder.ts'

export const SCENARIOS_FOLDER = path.join(PROJECT_FOLDER, 'scenarios')
export const library = scenarioLibrary(SCENARIOS_FOLDER)
const PREFIX = '/api/upgrade/v2'

/** The default market under a scenario; its clock is held and moved by the test. */
export async function marketWithScenario(name: string, options: SandboxOptions = {}) {
  const scenarios = [library(name)]
  const market = await recordedRegistry({ epoch: 'tape', metering: 'on', ...options, scenarios })
  const { registry, sandbox } = market
  const { request, connect } = memoryTransport(registry)
  const join = (where: string, query: string) =>
    `${PREFIX}${where}${where.includes('?') ? '&' : '?'}${query}`
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
export const receivedFrames = (socket: MemorySocket, channel?: string): Frame[] =>
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
