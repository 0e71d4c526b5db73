/** `createSandbox` on Node: the server is a separate process, run by the Bun that npm installs. */

import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hostClock } from '../../clock/system-clock.ts'
import { writeCoverage } from '../coverage/written-coverage.ts'
import { bunExecutable } from './bun-executable.ts'
import {
  type CreateSandboxOptions,
  createSandboxOn,
  SandboxError,
  type SandboxHandle,
} from './create-sandbox.ts'
import type { SandboxServer } from './shared-server.ts'
import { SharedServer } from './shared-server.ts'

// A server in a process of its own, run by Bun: for Node.

/** The built program, which lies beside this file once that is built too. */
const PROGRAM = './main.js'

/** `tapewright serve` on a free port; it ends with this process, however that ends. */
const ARGUMENTS = ['serve', '--port', '0', '--host', '127.0.0.1', '--until-stdin-ends']

/** Starts it. It keeps this process alive only until it serves. */
async function startServerProcess(): Promise<SandboxServer> {
  const program = fileURLToPath(new URL(PROGRAM, import.meta.url))
  const child = spawn(bunExecutable(), [program, ...ARGUMENTS], { stdio: 'pipe' })
  const output = lastLetters(child)
  const ended = endingOf(child, output)
  const url = await Promise.race([listeningAt(child), ended.promise])
  if (url === null) throw new SandboxError(`the server did not start: it ${ended.why()}`)
  for (const handle of [child, ...child.stdio]) (handle as { unref?(): void }).unref?.()
  return {
    url,
    ended: async (waitMs) => ended.why() ?? (waitMs === 0 ? null : await ended.within(waitMs)),
    async stop() {
      child.stdin.end()
      await ended.promise
    },
  }
}

/** The address in its first line; never resolves when it ends before. */
function listeningAt({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      const found = /^tapewright listening on (\S+)\n/m.exec(text)?.[1]
      if (found === undefined) return
      stdout?.off('data', read)
      // Later output is ignored, and has to be read all the same.
      stdout?.resume()
      resolve(found)
    }
    stdout?.setEncoding('utf8').on('data', read)
  })
}

/** The last part of its standard error; what it says about castings is shown, for they are long. */
function lastLetters({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-LETTERS_MAX)
    for (const line of chunk.split('\n')) if (CASTING.test(line)) console.error(line)
  })
  return () => text.trim()
}

const CASTING = /^tapewright: .*\bcasting\b/

const LETTERS_MAX = 4_000

/** Resolves with null when it has ended; `why` describes how. */
function endingOf(child: ChildProcess, output: () => string) {
  let text: string | null = null
  const promise = new Promise<null>((resolve) => {
    const end = (how: string) => {
      text ??= `${how}${output() === '' ? '' : `, and printed:\n${output()}`}`
      resolve(null)
    }
    child.once('error', ({ message }) => end(`cannot be run: ${message}`))
    child.once('close', (code, signal) =>
      end(`ended with ${signal === null ? `code ${code}` : `signal ${signal}`}`),
    )
  })
  const why = () => text
  const within = (waitMs: number) =>
    new Promise<string | null>((resolve) => {
      const cancel = hostClock.startTimer(waitMs, () => resolve(why()))
      void promise.then(() => {
        cancel()
        resolve(why())
      })
    })
  return { promise, why, within }
}

/** A process starts slower than a test runs: the next sandbox finds it running. */
const LINGER_MS = 5_000

const shared = new SharedServer(startServerProcess, LINGER_MS)

/**
 * Makes a sandbox; close it, or declare it with `await using`. All sandboxes of the process share a
 * server, which starts with the first and ends soon after the last, or with the process.
 */
export async function createSandbox(options: CreateSandboxOptions = {}): Promise<SandboxHandle> {
  const flaw = nodeFlaw(process.versions.node)
  if (flaw !== null) throw new SandboxError(flaw)
  return createSandboxOn(shared, options, writeCoverage)
}

/** Why it cannot run on this version of Node; null when it can. */
export function nodeFlaw(version: string): string | null {
  if (Number.parseInt(version, 10) >= NODE_MIN) return null
  return `tapewright needs Node ${NODE_MIN} or later, this is Node ${version}: install a newer one`
}

const NODE_MIN = 20
