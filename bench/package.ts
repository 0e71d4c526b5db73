/**
 * Benchmark of the package: time until it serves once installed, and until it answers on a machine
 * with only Node, without network time.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { median } from './measure/in-turn.ts'
import { run, signature } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const ROOT = path.join(import.meta.dir, '..')
const BARE = `
  const { port } = Bun.serve({ port: 0, fetch: () => new Response() })
  console.log('listening on http://localhost:' + port)
`

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-bench-'))
npm(ROOT, 'pack', '--pack-destination', folder)
const tarball = path.join(folder, `tapewright-${packageJson.version}.tgz`)

// npm caches downloads from this first install on.
await install('first', tarball)
const bunOnly = await install('bun', `bun@${packageJson.dependencies.bun}`)
const installed = await install('again', tarball)
const js = path.join(folder, 'again', 'node_modules', 'tapewright', 'lib', 'js')
const serve = ['serve', '--port', '0']
// Node reads a machine's own certificates at every start.
const env = { TAPEWRIGHT_CACHE: path.join(folder, 'worlds'), NODE_EXTRA_CA_CERTS: '' }

const startMs = performance.now()
const first = await run(['node', path.join(js, 'bin.cjs'), ...serve], env)
const query = new URLSearchParams({ ...signature() })
const answer = await fetch(`http://127.0.0.1:${first.port}/api/upgrade/v2/hl/tickers?${query}`)
if (!answer.ok) throw new Error(`the first answer is ${answer.status}`)
const answeredMs = performance.now() - startMs
await first.stop()

const ready = {
  bare: [] as number[],
  onBun: [] as number[],
  byNode: [] as number[],
  node: [] as number[],
}
for (let i = 0; i < 5; i++) {
  ready.bare.push(await readyMs(['bun', '-e', BARE]))
  ready.onBun.push(await readyMs(['bun', path.join(js, 'bin.cjs'), ...serve]))
  ready.node.push(await endedMs(['node', '-e', '0']))
  ready.byNode.push(await readyMs(['node', path.join(js, 'bin.cjs'), ...serve]))
}
await rm(folder, { recursive: true })

const baseline = median(ready.bare)
row({ name: 'start, on Bun', value: median(ready.onBun), baseline, unit: 'ms' })
row({ name: 'start, by Node', value: median(ready.byNode), baseline, unit: 'ms' })
row({ name: 'start of Node itself', value: median(ready.node), baseline, unit: 'ms' })
row({
  name: 'npm install and first answer',
  value: (installed + answeredMs) / 1000,
  baseline: bunOnly / 1000,
  unit: 's',
})

/** Installs into an empty project; returns the duration, ms. */
async function install(name: string, what: string): Promise<number> {
  const project = path.join(folder, name)
  await mkdir(project)
  await Bun.write(path.join(project, 'package.json'), '{"private": true}')
  const began = performance.now()
  npm(project, 'install', what, '--prefer-offline', '--no-audit', '--no-fund')
  return performance.now() - began
}

function npm(cwd: string, ...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['npm', ...args], { cwd, stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`npm ${args[0]} ended with ${exitCode}: ${stderr}`)
}

async function endedMs(command: string[]): Promise<number> {
  const began = performance.now()
  await Bun.spawn(command, { env: { ...process.env, ...env } }).exited
  return performance.now() - began
}

async function readyMs(command: string[]): Promise<number> {
  const served = await run(command, env)
  await served.stop()
  return served.readyMs
}
