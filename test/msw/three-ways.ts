/** One sandbox accessed in three ways: served, through msw in process, and bridged by msw. */
import { afterAll } from 'bun:test'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { handlers } from '../../src/server/transport/msw/index.ts'
import { registryBackend } from '../../src/server/transport/msw/registry-backend.ts'
import { connectSocket, serve } from '../fixtures/test-server.ts'
import { intercept } from './bun-network.ts'

const IN_PROCESS = 'https://in-process.example.test'
const BRIDGED = 'https://bridged.example.test'

/** Base URLs of the three ways, the served one first; msw is stopped after the test file. */
export async function threeWays(options: SandboxOptions = {}) {
  // Not intercepted: the reference for the other two.
  const [fetchDirectly, DirectSocket] = [fetch, WebSocket]
  const { origin, registry, control } = await serve(options)
  const stop = intercept([
    ...handlers(registryBackend(registry), { origin: IN_PROCESS }),
    ...handlers({ baseUrl: origin }, { origin: BRIDGED }),
  ])
  afterAll(stop)
  const ways = [origin, IN_PROCESS, BRIDGED] as const
  const ask = (way: string, path: string, init?: RequestInit) =>
    (way === origin ? fetchDirectly : fetch)(`${way}${path}`, init)
  const connect = (way: string, path: string) =>
    connectSocket(way, path, way === origin ? DirectSocket : WebSocket)
  return { ways, ask, connect, registry, control }
}

/** Responses of all three, the served one first. */
export const allOf = <T>(ways: readonly string[], task: (way: string) => Promise<T>) =>
  Promise.all(ways.map(task))
