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
    console.error(`tapewright: ${reasonOf(error)}: it cannot be built, and its sources run now`)
    return '../src/main.ts'
  }
}

/** Of several things that are wrong with the sources, the first, with its place. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { message, position } = first as BuildMessage | (Error & { position?: null })
  return position ? `${position.file}:${position.line}: ${message}` : message
}
