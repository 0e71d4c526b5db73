/**
 * Benchmark of the program as one executable: time to its first response on a cached world, and on
 * one unpacked as in an image, against a bare server's; and its size.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median } from './measure/in-turn.ts'
import { run, signature } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const SCRIPTS = path.join(import.meta.dir, '..', 'scripts')
const BARE = `
  const { port } = Bun.serve({ port: 0, fetch: () => new Response() })
  console.log('listening on http://localhost:' + port)
`

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-bench-'))
const binary = path.join(folder, 'tapewright')
const cached = { TAPEWRIGHT_CACHE: path.join(folder, 'cached') }
build(['binary-build.ts', binary])
build(['world-build.ts', path.join(folder, 'packed')])

const answered = { bare: [] as number[], cached: [] as number[], unpacked: [] as number[] }
for (let i = 0; i < 7; i++) {
  const empty = { TAPEWRIGHT_CACHE: path.join(folder, `empty-${i}`) }
  const packed = { ...empty, TAPEWRIGHT_WORLDS: path.join(folder, 'packed') }
  const serve = [binary, 'serve', '--port', '0']
  answered.bare.push(await answeredMs(['bun', '-e', BARE]))
  answered.cached.push(await answeredMs(serve, cached))
  answered.unpacked.push(await answeredMs(serve, packed))
}
const binaryMb = (await stat(binary)).size / 1e6
const bunMb = (await stat(process.execPath)).size / 1e6
await rm(folder, { recursive: true })

const baseline = median(answered.bare)
row({ name: 'first answer, world cached', value: median(answered.cached), baseline, unit: 'ms' })
row({
  name: 'first answer, world unpacked',
  value: median(answered.unpacked),
  baseline,
  unit: 'ms',
})
row({ name: 'the executable, against Bun alone', value: binaryMb, baseline: bunMb, unit: 'MB' })

/** Time from process start to the first response; ours is to a signed request. */
async function answeredMs(command: string[], env: Record<string, string> = {}): Promise<number> {
  const began = performance.now()
  const served = await run(command, env)
  const query = new URLSearchParams({ ...signature() })
  const answer = await fetch(`http://127.0.0.1:${served.port}/api/upgrade/v2/hl/tickers?${query}`)
  await answer.text()
  const tookMs = performance.now() - began
  await served.stop()
  if (!answer.ok) throw new Error(`the first answer is ${answer.status}`)
  return tookMs
}

/** Runs a build script, which leaves the packed world in the cache. */
function build([script = '', ...words]: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['bun', path.join(SCRIPTS, script), ...words], {
    env: { ...process.env, ...cached },
  })
  if (exitCode !== 0) throw new Error(`${script} ended with ${exitCode}: ${stderr}`)
}
