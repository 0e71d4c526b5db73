/** The Bun that runs the program: the one that npm has installed beside it, or another one. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { UserError } from '../user-error.ts'
import { isOlder } from './version-order.ts'

/** The oldest Bun on which the program runs. */
export const BUN_VERSION = packageJson.dependencies.bun

/** Where npm has installed Bun, else the one on the path; a UserError that says what to do. */
export function bunExecutable(): string {
  const folder = folderOf('bun', import.meta.url)
  const found = folder === null ? null : (linkedIn(folder) ?? unlinkedOf(folder))
  if (found !== null) return found
  const { stdout } = spawnSync('bun', ['--version'], { encoding: 'utf8' })
  const version = stdout?.trim() ?? ''
  if (version !== '' && !isOlder(version, BUN_VERSION)) return 'bun'
  throw new UserError(
    `Bun ${BUN_VERSION}, which it runs on, is not installed for ${process.platform} ${process.arch}` +
      `${version === '' ? '' : ` (the one on the path is ${version})`}: install again without ` +
      '--no-optional and --omit=optional, or install Bun yourself (https://bun.com)',
  )
}

/** A file of less is what npm's package holds until its install script has run. */
const PROGRAM_MIN_BYTES = 1_000_000

/** Where the install script of npm's package puts the program, on every platform. */
function linkedIn(folder: string): string | null {
  const file = path.join(folder, 'bin', 'bun.exe')
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return size < PROGRAM_MIN_BYTES ? null : file
}

/** The package of this platform, from which that script would have taken it. */
function unlinkedOf(folder: string): string | null {
  for (const name of platformPackages()) {
    const found = folderOf(name, path.join(folder, 'package.json'))
    const file = path.join(found ?? '', 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun')
    if (found !== null && existsSync(file)) return file
  }
  return null
}

function platformPackages(): string[] {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@oven/bun-${system}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
  if (system !== 'linux') return [name]
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined ? [`${name}-musl`] : [name]
}

/** The folder of a package as a file would find it; null when it is not installed. */
function folderOf(name: string, file: string): string | null {
  try {
    return path.dirname(createRequire(file).resolve(`${name}/package.json`))
  } catch {
    return null
  }
}
