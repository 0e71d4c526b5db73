/**
 * Finds the built program and tells whether its sources have changed since. Imports nothing but
 * what Bun brings along, because it runs at every start.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

/** Where builds lie, each in a folder of its own. */
export const BUILDS = path.join(ROOT, 'dist')

/** Says which build is the newest. */
export const NEWEST_FILE = path.join(BUILDS, 'newest.json')

export interface NewestBuild {
  /** The name of its folder in `dist`, which follows from the inputs and when they were written. */
  name: string
  /** What it was made of, from the project's folder. */
  inputs: readonly string[]
  /** False where it lacks compiled code, and what only some commands need. */
  isWhole: boolean
}

export interface BuiltProgram {
  /** Its main file. */
  main: string
  isWhole: boolean
}

/** The newest build; null when there is none, or when its inputs have changed. */
export function builtProgram(): BuiltProgram | null {
  // Without the packages some commands and pages do not work, and only an install brings them.
  if (!existsSync(NEWEST_FILE) || !existsSync(path.join(ROOT, 'node_modules'))) return null
  const newest = JSON.parse(readFileSync(NEWEST_FILE, 'utf8')) as NewestBuild
  const main = mainOf(newest.name)
  const isOfNow = newest.name === buildName(newest.inputs) && existsSync(main)
  return isOfNow ? { main, isWhole: newest.isWhole } : null
}

export const mainOf = (name: string) => path.join(BUILDS, name, 'main.js')

/** The name of a build out of these files, as they are now unless told. */
export function buildName(inputs: readonly string[], writtenMs = lastWrittenMs): string {
  const state = inputs.map((input) => `${input} ${writtenMs(input)}`).join('\n')
  return Bun.hash(`${Bun.version}\n${state}`).toString(16).padStart(16, '0')
}

/** When a file of the project was last written; no such time when there is no such file. */
export const lastWrittenMs = (input: string) => Bun.file(`${ROOT}/${input}`).lastModified
