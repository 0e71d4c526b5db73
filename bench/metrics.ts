/** Benchmark of signed reads with metrics, against the same reads without, in turn. */
import { server } from '../src/server/transport/elysia/server.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { signature } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const { registry, address } = await benchMarket(50)
const pages = new Map()
const app = server({ registry, control: [], pages })

const { metrics } = registry
const requests = { arrival: () => 0, count: () => {} }
const uncounted = Object.create(registry, { metrics: { value: { ...metrics, requests } } })
const bare = server({ registry: uncounted, control: [], pages })

const request = () => {
  const query = new URLSearchParams({ limit: '50', ...signature() })
  return new Request(`http://localhost/api/upgrade/v2/hl/fills/${address}?${query}`)
}

async function perSecond(handle: (request: Request) => Promise<Response>): Promise<number> {
  const sent = Array.from({ length: 2_000 }, request)
  const startMs = performance.now()
  for (const one of sent) await (await handle(one)).text()
  return (sent.length / (performance.now() - startMs)) * 1000
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
const [on, off]: [number[], number[]] = [[], []]
metrics.eventLoop.start()
for (let turn = 0; turn < 41; turn++) {
  const first = turn % 2 === 0
  if (first) on.push(await perSecond(app.handle))
  off.push(await perSecond(bare.handle))
  if (!first) on.push(await perSecond(app.handle))
}
row({
  name: 'signed reads, metrics on against off',
  value: median(on),
  baseline: median(off),
  unit: 'requests/s',
})
metrics.eventLoop.stop()
registry.close()
