/**
 * Benchmark of starting: time until the server listens, and its memory, against a process that only
 * opens a port.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
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

const first = await firstStart('installed', false)
const prepared = await firstStart('prepared', true)

// Built before: only the first start after a change does that.
Bun.spawnSync(['bun', PROGRAM, '--version'])

const readyMs: number[] = []
const bareMs: number[] = []
const idleMb: number[] = []
const bareMb: number[] = []
for (let i = 0; i < 5; i++) {
  const cached = await serve([], env)
  readyMs.push(cached.readyMs)
  // Its read-ahead is done by then.
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
const unit = 'ms'
row({ name: 'first start of a checkout, after its install', value: prepared, baseline, unit })
row({ name: 'the same where the install did not prepare', value: first, baseline, unit })
row({ name: 'start, world cached', value: median(readyMs), baseline, unit: 'ms' })
row({ name: 'memory when idle', value: median(idleMb), baseline: median(bareMb), unit: 'MB' })

/** Time until a server of a fresh checkout listens, with its own cache; ms. */
async function firstStart(name: string, isPrepared: boolean): Promise<number> {
  const checkout = await newCheckout(name)
  const ownEnv = { TAPEWRIGHT_CACHE: path.join(folder, `${name}-cache`) }
  if (isPrepared)
    Bun.spawnSync(['bun', path.join(checkout, 'scripts', 'prepare.ts')], {
      env: { ...process.env, ...ownEnv },
    })
  const program = path.join(checkout, 'scripts', 'tapewright.ts')
  const { readyMs, stop } = await run(['bun', program, 'serve', '--port', '0'], ownEnv)
  await stop()
  return readyMs
}

/** A checkout with its packages and without builds. */
async function newCheckout(name: string): Promise<string> {
  const here = path.join(import.meta.dir, '..')
  const there = path.join(folder, name)
  const isLeftOut = (entry: string) => ['.git', '.cache', 'dist', 'node_modules'].includes(entry)
  await cp(here, there, {
    recursive: true,
    filter: (from) => !isLeftOut(path.relative(here, from)),
  })
  await symlink(path.join(here, 'node_modules'), path.join(there, 'node_modules'))
  return there
}
