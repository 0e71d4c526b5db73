/** Benchmark of signed reads with the journal on, against the same reads with it off, in turn. */
import { server } from '../src/server/transport/elysia/server.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { signature } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const { registry, sandbox, address } = await benchMarket(50)
const app = server({ registry, control: [], pages: new Map() })

const request = () => {
  const query = new URLSearchParams({ limit: '50', ...signature() })
  return new Request(`http://localhost/api/upgrade/v2/hl/fills/${address}?${query}`)
}

async function perSecond(on: boolean): Promise<number> {
  sandbox.journal.set({ on })
  const requests = Array.from({ length: 10_000 }, request)
  const startMs = performance.now()
  for (const one of requests) await (await app.handle(one)).text()
  return (requests.length / (performance.now() - startMs)) * 1000
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
const [on, off]: [number[], number[]] = [[], []]
await perSecond(true)
for (let turn = 0; turn < 7; turn++) {
  on.push(await perSecond(true))
  off.push(await perSecond(false))
}
row({
  name: 'signed reads, journal on against off',
  value: median(on),
  baseline: median(off),
  unit: 'requests/s',
})
registry.close()
