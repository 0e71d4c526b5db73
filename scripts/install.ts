/**
 * Installs packages by the lockfile, so that a fresh clone needs no other command first.
 *
 * When they are up to date this takes some hundredths of a second and uses no network. Imports
 * nothing beyond Bun, because it runs before the install.
 */
import path from 'node:path'

export const ROOT = path.join(import.meta.dir, '..')

/**
 * Installs the packages of a project folder. On failure exits with one line on standard error, code
 * 1.
 */
export async function install(folder = ROOT): Promise<void> {
  const { packageManager } = await Bun.file(path.join(ROOT, 'package.json')).json()
  const pinned = String(packageManager).replace('bun@', '')
  if (Bun.semver.order(Bun.version, pinned) < 0)
    leave(`Bun ${Bun.version} is too old, ${pinned} is needed: npx -y bun@${pinned} start`)
  // The caller builds and casts what it needs itself, so the install need not.
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
