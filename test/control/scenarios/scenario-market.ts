/** A market for testing a scenario of the library. */
import path from 'node:path'
import type { SandboxOptions } from '../../../src/sandbox/sandbox-config.ts'
import type { Scenario } from '../../../src/sandbox/scenario/scenario.ts'
import { scenarioLibrary } from '../../../src/sandbox/scenario/scenario-library.ts'
import type { InitialKeys } from '../../../src/sandbox/tenancy/initial-tenancy.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../../src/server/transport/memory/memory-transport.ts'
import { type Cast, recordedRegistry } from '../../fixtures/default-recording.ts'
import { signed } from '../../fixtures/fake-market.ts'
import { PROJECT_FOLDER } from '../../fixtures/project-folder.ts'

export const SCENARIOS_FOLDER = path.join(PROJECT_FOLDER, 'scenarios')
export const library = scenarioLibrary(SCENARIOS_FOLDER)
const PREFIX = '/api/upgrade/v2'

/** A key of the sandbox by its permissions, or an unknown one. */
export type KeyRole = keyof InitialKeys | 'nobody'

/** A separate sandbox under a scenario of the library; the test moves its clock. */
export const marketWithScenario = (name: string, options: SandboxOptions = {}) =>
  marketUnder(library(name), options)

/** The same under any scenario. */
export async function marketUnder(scenario: Scenario | null, options: SandboxOptions = {}) {
  const { registry } = await recordedRegistry({ epoch: 'tape', metering: 'on', ...options })
  const sandbox = await registry.create({ name: 'own', scenarios: scenario ? [scenario] : [] })
  const cast = () => sandbox.world.cast(sandbox.facts().moment) as Cast
  const { request, connect } = memoryTransport(registry)
  const sign = (role: KeyRole, ageS = -1) =>
    role === 'nobody'
      ? signed('nobody', ageS)
      : signed(sandbox.keys[role].accessKey, ageS, sandbox.keys[role].secretKey)
  const join = (where: string, role: KeyRole) => {
    // An unknown key leads to no sandbox.
    const base = role === 'nobody' ? '/s/own' : ''
    return `${base}${PREFIX}${where}${where.includes('?') ? '&' : '?'}${sign(role)}`
  }
  const ask = (where: string, role: KeyRole = 'full', body?: object) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return request(body ? 'POST' : 'GET', join(where, role), text)
  }
  const open = (where = '/hl/ws', role: KeyRole = 'full') => connect(join(where, role))
  const socket = (...channels: object[]) => {
    const made = open()
    if (!('frames' in made)) throw new Error(made.body)
    for (const subscription of channels)
      made.send(JSON.stringify({ method: 'subscribe', subscription }))
    return made
  }
  const advance = (ms: number) => sandbox.clock.advance(ms)
  const transport = { request, connect }
  return { registry, sandbox, cast, transport, sign, ask, open, socket, advance }
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
