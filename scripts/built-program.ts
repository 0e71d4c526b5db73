/**
 * Finds the built program and checks whether its sources have changed since. Imports nothing beyond
 * Bun, because it runs at every start.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

/** Folder of builds, each in a folder of its own. */
export const BUILDS = path.join(ROOT, 'dist')

/** File that names the newest build. */
export const NEWEST_FILE = path.join(BUILDS, 'newest.json')

export interface NewestBuild {
  /** Name of its folder in `dist`, derived from its inputs and their times. */
  name: string
  /** Its inputs, relative to the project. */
  inputs: readonly string[]
  /** False where it lacks compiled code, and parts for some commands only. */
  isWhole: boolean
}

export interface BuiltProgram {
  /** Its main file. */
  main: string
  isWhole: boolean
}

/** The newest build; null when there is none, or when its inputs have changed. */
export function builtProgram(): BuiltProgram | null {
  // Without the packages some commands and pages fail, and only an install adds them.
  if (!existsSync(NEWEST_FILE) || !existsSync(path.join(ROOT, 'node_modules'))) return null
  const newest = JSON.parse(readFileSync(NEWEST_FILE, 'utf8')) as NewestBuild
  const main = mainOf(newest.name)
  const isOfNow = newest.name === buildName(newest.inputs) && existsSync(main)
  return isOfNow ? { main, isWhole: newest.isWhole } : null
}

export const mainOf = (name: string) => path.join(BUILDS, name, 'main.js')

/** The name of a build from these files, by default as they are now. */
export function buildName(inputs: readonly string[], writtenMs = lastWrittenMs): string {
  const state = inputs.map((input) => `${input} ${writtenMs(input)}`).join('\n')
  return Bun.hash(`${Bun.version}\n${state}`).toString(16).padStart(16, '0')
}

/** Modification time of a file of the project; invalid when it is missing. */
export const lastWrittenMs = (input: string) => Bun.file(`${ROOT}/${input}`).lastModified
