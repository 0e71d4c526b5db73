#!/usr/bin/env bun
/**
 * Entry point of a checkout: runs the built program with its arguments. Missing packages are
 * installed first, and changed sources built: for a server only what it needs to start, the rest
 * while it runs. `bun run serve --port 0` is `tapewright serve --port 0`.
 */
import { setPriority } from 'node:os'
import path from 'node:path'
import { type BuiltProgram, builtProgram } from './built-program.ts'
import { install } from './install.ts'

const BUILD = path.join(import.meta.dir, 'program-build.ts')

/** By then a first start has cast its world, which uses all of a small machine. */
const REST_DELAY_MS = 10_000

const LOW_PRIORITY = 19

const isServer = process.argv[2] === 'serve'
const { main, isWhole } = usable(builtProgram()) ?? (await prepare())
if (!isWhole) setTimeout(buildRest, REST_DELAY_MS).unref()
const { launch } = (await import(main)) as typeof import('../src/main.ts')
await launch(process.argv.slice(2))

/** Other commands may need a whole build. */
function usable(built: BuiltProgram | null): BuiltProgram | null {
  return built?.isWhole || isServer ? built : null
}

/** The built program, or its sources when the build fails. */
async function prepare(): Promise<BuiltProgram> {
  await install()
  // In a process of its own: this one may have cached module lookups from before the install.
  const build = Bun.spawnSync([process.execPath, BUILD, ...(isServer ? ['--quick'] : [])])
  if (build.exitCode === 0) return { main: build.stdout.toString().trim(), isWhole: !isServer }
  process.stderr.write(build.stderr)
  console.error('tapewright: the program cannot be built, so its sources run now')
  return { main: '../src/main.ts', isWhole: true }
}

/** For the next start, by a low-priority process that may outlive this one. */
function buildRest(): void {
  try {
    const child = Bun.spawn([process.execPath, BUILD, '--beside'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    child.unref()
    setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // A failed build must not end a running server.
  }
}
