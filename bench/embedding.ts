/**
 * Benchmark of embedding: time until a program has a sandbox and a response, in its own process and
 * with the installed package, against a process that only opens a port.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median } from './measure/in-turn.ts'
import { run } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const ROOT = path.join(import.meta.dir, '..')
const LIBRARY = path.join(ROOT, 'lib', 'js', 'index.js')
const RUNS = 9

const BARE = `
  const { port } = Bun.serve({ port: 0, fetch: () => new Response() })
  console.log('listening on http://localhost:' + port)
`

/** From before the import to the first response, and to that of the tenth sandbox. */
const PROGRAM = `
  const startMs = performance.now()
  const { createSandbox } = await import('${LIBRARY}')
  const answer = async () => {
    const sandbox = await createSandbox()
    await sandbox.client().perpdex.tickers()
  }
  await answer()
  const firstMs = performance.now() - startMs
  for (let n = 2; n <= 9; n++) await answer()
  const beforeMs = performance.now()
  await answer()
  console.log(JSON.stringify([firstMs, performance.now() - beforeMs]))
  process.exit(0)
`

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-bench-'))
Bun.spawnSync(['bun', path.join(ROOT, 'scripts', 'package-build.ts')])

async function embedded(): Promise<[firstMs: number, tenthMs: number]> {
  const env = { ...process.env, TAPEWRIGHT_CACHE: folder }
  const child = Bun.spawn(['bun', '-e', PROGRAM], { stdout: 'pipe', stderr: 'ignore', env })
  return JSON.parse(await child.stdout.text())
}

// The first run casts the world.
await embedded()
const bareMs: number[] = []
const firstMs: number[] = []
const tenthMs: number[] = []
for (let n = 0; n < RUNS; n++) {
  const bare = await run(['bun', '-e', BARE])
  bareMs.push(bare.readyMs)
  await bare.stop()
  const [first, tenth] = await embedded()
  firstMs.push(first)
  tenthMs.push(tenth)
}
await rm(folder, { recursive: true })

const baseline = median(bareMs)
row({ name: 'import to first answer, world cached', value: median(firstMs), baseline, unit: 'ms' })
row({ name: 'one more sandbox, to its answer', value: median(tenthMs), baseline, unit: 'ms' })
