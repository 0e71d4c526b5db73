/** `createSandbox` on Node: the server is a process of its own, run by the Bun that npm brings. */
import { type CreateSandboxOptions, createSandboxOn, type SandboxHandle } from './create-sandbox.ts'
import { SandboxError } from './sandbox-error.ts'
import { startServerProcess } from './server-process.ts'
import { SharedServer } from './shared-server.ts'

/** A process takes longer to start than a test to run: the next sandbox finds it running. */
const LINGER_MS = 5_000

const shared = new SharedServer(startServerProcess, LINGER_MS)

/**
 * Makes a sandbox; close it, or declare it with `await using`. All sandboxes of the process share a
 * server, which starts with the first and ends soon after the last, or with the process.
 */
export async function createSandbox(options: CreateSandboxOptions = {}): Promise<SandboxHandle> {
  const flaw = nodeFlaw(process.versions.node)
  if (flaw !== null) throw new SandboxError(flaw)
  return createSandboxOn(shared, options)
}

/** Why it cannot run on this version of Node; null when it can. */
export function nodeFlaw(version: string): string | null {
  if (Number.parseInt(version, 10) >= NODE_MIN) return null
  return `tapewright needs Node ${NODE_MIN} or later, this is Node ${version}: install a newer one`
}

const NODE_MIN = 20
