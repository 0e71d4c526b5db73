#!/usr/bin/env bun
/**
 * The way in from a checkout: runs the program with the words given, built. What is missing is
 * installed first, and what has changed is built again: for a server only what it needs to start,
 * the rest while it runs.
 * `bun run serve --port 0` is `tapewright serve --port 0`.
 */
import { setPriority } from 'node:os'
import path from 'node:path'
import { type BuiltProgram, builtProgram } from './built-program.ts'
import { install } from './install.ts'

const BUILD = path.join(import.meta.dir, 'program-build.ts')

/** By then a first start has cast its world, which takes all that a small machine has. */
const REST_DELAY_MS = 10_000

const LOW_PRIORITY = 19

const isServer = process.argv[2] === 'serve'
const { main, isWhole } = usable(builtProgram()) ?? (await prepare())
if (!isWhole) setTimeout(buildRest, REST_DELAY_MS).unref()
const { launch } = (await import(main)) as typeof import('../src/main.ts')
await launch(process.argv.slice(2))

/** Any other command may need what only a whole build has. */
function usable(built: BuiltProgram | null): BuiltProgram | null {
  return built?.isWhole || isServer ? built : null
}

/** The program, built, or its sources when that cannot be. */
async function prepare(): Promise<BuiltProgram> {
  await install()
  // In a process of its own: this one may have looked for packages before they were installed.
  const build = Bun.spawnSync([process.execPath, BUILD, ...(isServer ? ['--quick'] : [])])
  if (build.exitCode === 0) return { main: build.stdout.toString().trim(), isWhole: !isServer }
  process.stderr.write(build.stderr)
  console.error('tapewright: the program cannot be built, so its sources run now')
  return { main: '../src/main.ts', isWhole: true }
}

/** For the next start, by a process that gives way to others and may outlive this one. */
function buildRest(): void {
  try {
    const child = Bun.spawn([process.execPath, BUILD, '--beside'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    child.unref()
    setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // A server that runs does not end because a later start would have been quicker.
  }
}
