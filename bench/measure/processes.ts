/**
 * Servers and clients as processes of their own, which do not share a thread with the measurement.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { credentials } from '../../src/contract/signature.ts'
import type { FrameCount, FrameReadOrder } from './frame-reader.ts'
import type { LoadOrder, LoadResult } from './load-client.ts'

/** The program, started as in a checkout. */
export const PROGRAM = path.join(import.meta.dir, '..', '..', 'scripts', 'tapewright.ts')
const FRAME_READER = path.join(import.meta.dir, 'frame-reader.ts')
const LOAD_CLIENT = path.join(import.meta.dir, 'load-client.ts')

export interface Served {
  port: number
  /** From the start of the process to the line that it listens. */
  readyMs: number
  pid: number
  stop(): Promise<void>
  /** Kills one that may ignore signals. */
  kill(): Promise<void>
}

/** `tapewright serve` on a free port. */
export function serve(args: string[], env: Record<string, string> = {}): Promise<Served> {
  return run(['bun', PROGRAM, 'serve', '--port', '0', ...args], env)
}

/** Any server that prints `listening on http://HOST:PORT`, or another process on its port. */
export async function run(
  command: string[],
  env: Record<string, string> = {},
  ready = /listening on http:\/\/[^:]+:(\d+)/,
): Promise<Served> {
  const startMs = performance.now()
  const child = Bun.spawn(command, {
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, ...env },
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    const port = ready.exec(output)?.[1]
    if (!port) continue
    const end = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
      child.kill(signal)
      await child.exited
    }
    const readyMs = performance.now() - startMs
    const [stop, kill] = [end('SIGTERM'), end('SIGKILL')]
    return { port: Number(port), readyMs, pid: child.pid, stop, kill }
  }
  throw new Error(`it ended before it listened: ${output}`)
}

/** Reads from a server in another process. */
export async function readFrames(order: FrameReadOrder): Promise<FrameCount> {
  // Not as an argument: a thousand addresses exceed the limit.
  const stdin = new Blob([JSON.stringify(order)])
  const child = Bun.spawn(['bun', FRAME_READER], { stdin, stdout: 'pipe' })
  return JSON.parse(await new Response(child.stdout).text()) as FrameCount
}

/** Signing key. */
export interface Key {
  accessKey: string
  secretKey: string
}

const DEMO_KEY: Key = { accessKey: 'demo', secretKey: 'demo-secret' }

/** Signature parameters, by default of the demo key. */
export function signature({ accessKey, secretKey }: Key = DEMO_KEY) {
  return credentials({
    accessKey,
    secretKey,
    nonce: crypto.randomUUID(),
    timestampS: Math.floor(Date.now() / 1000),
  })
}

/** A signed socket path, by default of the demo key. */
export function socketPath(key: Key = DEMO_KEY): string {
  return `/api/upgrade/v2/hl/ws?${new URLSearchParams({ ...signature(key) })}`
}

export const subscribe = (subscription: object) =>
  JSON.stringify({ method: 'subscribe', subscription })

/** User and system time of a process, ms, which Linux counts in hundredths of a second. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Loads a server from a process of its own. */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const stdin = new Blob([JSON.stringify(order)])
  const child = Bun.spawn(['bun', LOAD_CLIENT], { stdin, stdout: 'pipe' })
  return JSON.parse(await new Response(child.stdout).text()) as LoadResult
}

/** Resident memory of a process in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
