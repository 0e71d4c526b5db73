#!/usr/bin/env bun
/**
 * The way in from a checkout: runs the program with the words given, built. What is missing is
 * installed first, and what has changed is built again.
 * `bun run serve --port 0` is `tapewright serve --port 0`.
 */
import path from 'node:path'
import { builtProgram } from './built-program.ts'
import { install } from './install.ts'

const program = builtProgram() ?? (await prepare())
const { launch } = (await import(program)) as typeof import('../src/main.ts')
await launch(process.argv.slice(2))

/** The program's main file: built, or its source when that cannot be. */
async function prepare(): Promise<string> {
  await install()
  // In a process of its own: this one may have looked for packages before they were installed.
  const build = Bun.spawnSync([process.execPath, path.join(import.meta.dir, 'program-build.ts')])
  if (build.exitCode === 0) return build.stdout.toString().trim()
  process.stderr.write(build.stderr)
  console.error('tapewright: the program cannot be built, so its sources run now')
  return '../src/main.ts'
}
