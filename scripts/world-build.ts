/**
 * `bun run build:world FOLDER`: packs the world of the default tape into a folder, for
 * `TAPEWRIGHT_WORLDS` on machines that should not cast it themselves. The package has it inside.
 */
import path from 'node:path'
import { packWorld } from '../src/market/world/packed-world.ts'
import { worldFile } from '../src/market/world/world-file.ts'
import { cacheFolder, RECORDINGS_FOLDER } from '../src/platform/environment.ts'
import { fileDigest } from '../src/tape/compression.ts'
import { DEFAULT_TAPE, findRecording } from '../src/tape/tape-name.ts'

/** Packs the world of the default tape into a folder; returns its file. */
export async function buildWorld(folder: string): Promise<string> {
  return packWorld(await castWorld(), path.resolve(folder))
}

/** The finished world, cast when missing. */
async function castWorld(): Promise<string> {
  const program = path.join(import.meta.dir, 'tapewright.ts')
  const words = ['cast', '--tape', DEFAULT_TAPE, '--seed', '1', '--json']
  const run = Bun.spawnSync([process.execPath, program, ...words], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if (run.exitCode !== 0) process.exit(run.exitCode)
  const tapeDigest = await fileDigest(findRecording(DEFAULT_TAPE, RECORDINGS_FOLDER))
  return worldFile({ tapeDigest, seed: 1, cacheDir: cacheFolder() })
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('tapewright: name the folder, such as bun run build:world worlds')
    process.exit(1)
  }
  console.log(await buildWorld(folder))
}
