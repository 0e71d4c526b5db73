/** Finds Bun on a machine that runs Node. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bunFlaw } from './bun-version.ts'
import { SandboxError } from './create-sandbox.ts'

/** The Bun that npm has installed, or else the one on the PATH. */
export function bunExecutable(): string {
  const found = ofPackage()
  if (found !== null) return found
  const { status, stdout } = spawnSync('bun', ['--version'], { encoding: 'utf8' })
  const flaw = status === 0 ? bunFlaw(stdout.trim()) : 'the server runs on Bun, which is not here'
  if (flaw === null) return 'bun'
  throw new SandboxError(
    `${flaw}: the package "bun" is a dependency of tapewright, ` +
      'so install again with `npm install` (and without --omit=optional), or install Bun from ' +
      'https://bun.com so that it is on the PATH',
  )
}

/** Of the package `bun`, or of the package for this machine when its script has not run. */
function ofPackage(): string | null {
  const near = createRequire(import.meta.url)
  try {
    const manifest = near.resolve('bun/package.json')
    const own = path.join(path.dirname(manifest), 'bin', 'bun.exe')
    if (isProgram(own)) return own
    const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    const fromThere = createRequire(manifest)
    for (const name of Object.keys(optionalDependencies)) {
      const file = process.platform === 'win32' ? 'bun.exe' : 'bun'
      const folder = folderOf(fromThere, name)
      if (folder !== null && isProgram(path.join(folder, 'bin', file)))
        return path.join(folder, 'bin', file)
    }
    return null
  } catch {
    return null
  }
}

/** npm installs only the packages that fit the machine. */
function folderOf(near: NodeJS.Require, name: string): string | null {
  try {
    return path.dirname(near.resolve(`${name}/package.json`))
  } catch {
    return null
  }
}

/** Before the package's script has run, the file is a short text. */
function isProgram(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000
}
