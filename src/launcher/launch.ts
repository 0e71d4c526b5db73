/** Runs the package's program on Bun, from any runtime. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hostClock } from '../clock/system-clock.ts'
import { bunExecutable } from '../server/embedding/bun-executable.ts'
import { bunFlaw } from '../server/embedding/bun-version.ts'
import { SandboxError } from '../server/embedding/create-sandbox.ts'
import { isStartedByNpm } from '../server/embedding/environment.ts'

/** The built program, which lies beside this file once that is built too. */
const PROGRAM = './main.js'

/** Runs it with the given words, and exits with its code. */
export async function launch(): Promise<void> {
  const { bun } = process.versions
  if (bun !== undefined && bunFlaw(bun) === null) {
    const program = (await import(PROGRAM)) as typeof import('../main.ts')
    return program.launch(process.argv.slice(2))
  }
  try {
    await runOn(bunExecutable())
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    console.error(`tapewright: ${error.message}`)
    process.exitCode = 1
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs it in a process of its own: forwards signals and the exit code. */
function runOn(bun: string): Promise<void> {
  const program = fileURLToPath(new URL(PROGRAM, import.meta.url))
  const child = spawn(bun, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of SIGNALS)
    process.on(signal, () => {
      // A terminal sends SIGINT to both processes, and a second one would end the program at once.
      if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal)
    })
  const stopWatching = isStartedByNpm() ? onParentEnded(() => child.kill('SIGTERM')) : () => {}
  return new Promise((resolve, reject) => {
    child.on('error', ({ message }) => reject(new SandboxError(`${bun} cannot be run: ${message}`)))
    child.on('exit', (code, signal) => {
      stopWatching()
      for (const one of SIGNALS) process.removeAllListeners(one)
      if (signal !== null) process.kill(process.pid, signal)
      process.exitCode = code ?? 1
      resolve()
    })
  })
}

const isOnTerminal = () =>
  [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true)

const PARENT_LOOK_MS = 200

/** Calls `then` once the parent has ended: npm ends its shell by a signal that is not forwarded. */
function onParentEnded(then: () => void): () => void {
  const parent = process.ppid
  let cancel = () => {}
  const look = () => {
    if (process.ppid !== parent) return then()
    cancel = hostClock.startTimer(PARENT_LOOK_MS, look)
  }
  look()
  return () => cancel()
}
