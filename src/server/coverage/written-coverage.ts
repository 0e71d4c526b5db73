/** Writes coverage files; not for pages, which have no files. */

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import { addedCoverage, type CoverageFile, coverageText } from './coverage-file.ts'

/** What this process has written to each file: sandboxes of one file are added. */
const written = new Map<string, CoverageFile>()

/**
 * Writes the coverage of a sandbox. A name that ends with a slash is a folder, in which each
 * sandbox gets a file of its own; sandboxes of this process with the same file are added. A
 * UserError where it cannot be written.
 */
export function writeCoverage(name: string, sandbox: string, of: CoverageFile): void {
  const isFolder = /[/\\]$/.test(name)
  const file = path.resolve(isFolder ? freeName(name, sandbox) : name)
  const before = isFolder ? undefined : written.get(file)
  const isSame = before !== undefined && before.contract === of.contract
  const whole = isSame ? addedCoverage(before, of) : of
  writeWhole(file, coverageText(whole))
  if (!isFolder) written.set(file, whole)
}

/** Writes a file under another name, and renames it when it is whole. */
export function writeWhole(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`)
  }
}

/** A file in the folder that does not exist: sandboxes of other processes have the same ids. */
function freeName(folder: string, sandbox: string): string {
  const base = sandbox.replace(/[^\w.-]/g, '_')
  for (let number = 1; ; number++) {
    const name = path.join(folder, `${base}${number === 1 ? '' : `-${number}`}.json`)
    if (!existsSync(name)) return name
  }
}
