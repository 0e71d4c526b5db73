/**
 * `bun run build:world FOLDER`: casts the world of the default tape and packs it into a folder,
 * which `TAPEWRIGHT_WORLDS` may name on machines that shall not cast it themselves.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packWorld } from '../src/world/packed-world.ts'

/** The only world in a cache folder, which is cast by whatever program there is. */
async function castInto(cache: string): Promise<string> {
  const program = path.join(import.meta.dir, 'tapewright.ts')
  const run = Bun.spawnSync([process.execPath, program, 'cast', '--json'], {
    env: { ...process.env, TAPEWRIGHT_CACHE: cache },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if (run.exitCode !== 0) process.exit(run.exitCode)
  const [world = ''] = readdirSync(cache).filter((name) => name.endsWith('.sqlite'))
  return path.join(cache, world)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('tapewright: name the folder, such as bun run build:world worlds')
  process.exit(1)
}
const cache = mkdtempSync(path.join(tmpdir(), 'tapewright-world-'))
try {
  await packWorld(await castInto(cache), folder)
} finally {
  rmSync(cache, { recursive: true, force: true })
}
