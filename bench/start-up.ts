/** How soon the server listens, and what it weighs, against a process that only opens a port. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median } from './measure/in-turn.ts'
import { PROGRAM, residentMb, run, serve } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const BARE = `
  const { port } = Bun.serve({ port: 0, fetch: () => new Response() })
  console.log('listening on http://localhost:' + port)
`

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-bench-'))
const env = { TAPEWRIGHT_CACHE: folder }

// Built before: only the first start after a change does that.
Bun.spawnSync(['bun', PROGRAM, '--version'])
const first = await serve([], env)
await first.stop()

const readyMs: number[] = []
const bareMs: number[] = []
const idleMb: number[] = []
const bareMb: number[] = []
for (let i = 0; i < 5; i++) {
  const cached = await serve([], env)
  readyMs.push(cached.readyMs)
  // By then it has read ahead what it will be asked for.
  await Bun.sleep(2_000)
  idleMb.push(await residentMb(cached.pid))
  await cached.stop()
  const bare = await run(['bun', '-e', BARE])
  bareMs.push(bare.readyMs)
  bareMb.push(await residentMb(bare.pid))
  await bare.stop()
}
await rm(folder, { recursive: true })

const baseline = median(bareMs)
row({ name: 'first start, world compiled', value: first.readyMs, baseline, unit: 'ms' })
row({ name: 'start, world cached', value: median(readyMs), baseline, unit: 'ms' })
row({ name: 'memory when idle', value: median(idleMb), baseline: median(bareMb), unit: 'MB' })
