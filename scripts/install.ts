/**
 * Brings `node_modules` in step with the lockfile, so that a fresh clone needs no other command
 * first.
 *
 * When it is in step already this takes some hundredths of a second and asks no network. Imports
 * nothing but what Bun brings along, because it runs before anything is installed.
 */
import path from 'node:path'

export const ROOT = path.join(import.meta.dir, '..')

/**
 * Installs what a folder of the project needs. Ends the program with one line on standard error,
 * code 1, when the packages cannot be installed.
 */
export async function install(folder = ROOT): Promise<void> {
  const { packageManager } = await Bun.file(path.join(ROOT, 'package.json')).json()
  const pinned = String(packageManager).replace('bun@', '')
  if (Bun.semver.order(Bun.version, pinned) < 0)
    leave(`Bun ${Bun.version} is too old, ${pinned} is needed: npx -y bun@${pinned} start`)
  // Whoever started this builds and casts what it needs itself, and need not wait for more.
  const env = { ...process.env, TAPEWRIGHT_PREPARE: 'no' }
  const run = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile'], {
    env,
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  if (run.exitCode === 0) return
  process.stderr.write(`${run.stdout}${run.stderr}`)
  leave('the packages could not be installed; the lines above say why')
}

function leave(reason: string): never {
  console.error(`tapewright: ${reason}`)
  process.exit(1)
}
