#!/usr/bin/env bun
/**
 * The way in from a checkout: runs the program with the words given, built. What is missing is
 * installed first, and what has changed is built again.
 * `bun run serve --port 0` is `tapewright serve --port 0`.
 */
import { builtProgram } from './built-program.ts'
import { install } from './install.ts'

const program = builtProgram() ?? (await prepare())
const { launch } = (await import(program)) as typeof import('../src/main.ts')
await launch(process.argv.slice(2))

/** The program's main file: built, or its source when that cannot be. */
async function prepare(): Promise<string> {
  await install()
  try {
    return await (await import('./program-build.ts')).buildProgram()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`tapewright: the program could not be built, its sources run now (${reason})`)
    return '../src/main.ts'
  }
}
