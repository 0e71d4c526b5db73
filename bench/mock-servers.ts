/**
 * The same answer of 50 rows from this sandbox, which checks a signature and reads its world, and
 * from two mock servers that only repeat it. They are fetched from the npm registry when this runs.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { benchMarket } from './measure/bench-registry.ts'
import type { Asked, AskOrder } from './measure/load-client.ts'
import { mockoonOf, prismOf } from './measure/mock-servers.ts'
import { serve, signature } from './measure/processes.ts'
import { row, unmeasured } from './measure/result-row.ts'

const ROWS = 50
const ASKER = path.join(import.meta.dir, 'measure', 'load-client.ts')
const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-peers-'))

const { address, registry } = await benchMarket(ROWS)
registry.close()
const place = `/api/upgrade/v2/hl/fills/${address}`

const signedPath = () => `${place}?limit=${ROWS}&${new URLSearchParams({ ...signature() })}`

async function ask(port: number, paths: string[]): Promise<Asked> {
  const order: AskOrder = { port, paths, connections: 32, warmMs: 2_000, countMs: 5_000 }
  const input = new Blob([JSON.stringify(order)])
  const child = Bun.spawn(['bun', ASKER], { stdin: input, stdout: 'pipe' })
  return JSON.parse(await new Response(child.stdout).text()) as Asked
}

const own = await serve(['--speed', '0'])
const answer = await (await fetch(`http://localhost:${own.port}${signedPath()}`)).text()
const ours = await ask(own.port, Array.from({ length: 200 }, signedPath))
await own.stop()

for (const [peerName, start] of [
  ['Prism', prismOf],
  ['Mockoon', mockoonOf],
] as const) {
  const name = `${ROWS} rows over HTTP, against ${peerName}`
  const peer = await start(folder, place, answer).catch((error: Error) => error)
  if (peer instanceof Error) {
    unmeasured({ name, why: peer.message })
    continue
  }
  const { perSecond } = await ask(peer.port, [place])
  await peer.stop()
  row({ name, value: ours.perSecond, baseline: perSecond, unit: 'requests/s' })
}
await rm(folder, { recursive: true })
