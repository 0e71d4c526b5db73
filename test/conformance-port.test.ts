/** The cases written by hand, over a real port, with no hand on the clock. */
import { afterAll, expect, test } from 'bun:test'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { httpCarrier } from '../src/conformance/http-carrier.ts'
import { controlRoutes } from '../src/control/index.ts'
import { server } from '../src/transport/elysia/server.ts'
import { AT_MS, targetOf, tried } from './probes.ts'
import { realRegistry } from './real-market.ts'

const { registry, sandbox } = await realRegistry({ at: AT_MS, clock: 'running', speed: 10 })
const control = controlRoutes(registry, { token: null })
const app = server({ registry, control, pages: new Map() }).listen(0)
afterAll(() => app.stop(true))

const carrier = httpCarrier(`http://localhost:${app.server?.port}`)
const { control: _, ...target } = targetOf(sandbox)

for (const one of HAND_WRITTEN.filter(({ needs = [] }) => !needs.includes('control')))
  test(`${one.id}: ${one.title}`, async () => {
    expect(await tried(target, carrier, one)).toBe(null)
  })
