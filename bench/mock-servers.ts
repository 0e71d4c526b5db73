/**
 * Benchmark of the same response of 50 rows from this sandbox, which checks a signature and reads
 * its world, and from two mock servers that only repeat it. They are downloaded from the npm
 * registry on the run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { benchMarket } from './measure/bench-registry.ts'
import { mockoonOf, prismOf } from './measure/mock-servers.ts'
import { load, serve, signature } from './measure/processes.ts'
import { row, unmeasured } from './measure/result-row.ts'

const ROWS = 50
const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-mock-servers-'))

const { address, registry } = await benchMarket(ROWS)
registry.close()
const urlPath = `/api/upgrade/v2/hl/fills/${address}`

const signedPath = () => `${urlPath}?limit=${ROWS}&${new URLSearchParams({ ...signature() })}`

const loaded = (port: number, paths: string[]) =>
  load({ port, paths, connections: 32, warmMs: 2_000, countMs: 5_000 })

const own = await serve(['--speed', '0'])
const answer = await (await fetch(`http://localhost:${own.port}${signedPath()}`)).text()
const ours = await loaded(own.port, Array.from({ length: 200 }, signedPath))
await own.stop()

for (const [mockName, start] of [
  ['Prism', prismOf],
  ['Mockoon', mockoonOf],
] as const) {
  const name = `${ROWS} rows over HTTP, against ${mockName}`
  const mockServer = await start(folder, urlPath, answer).catch((error: Error) => error)
  if (mockServer instanceof Error) {
    unmeasured({ name, why: mockServer.message })
    continue
  }
  const { perSecond } = await loaded(mockServer.port, [urlPath])
  await mockServer.stop()
  row({ name, value: ours.perSecond, baseline: perSecond, unit: 'requests/s' })
}
await rm(folder, { recursive: true })
