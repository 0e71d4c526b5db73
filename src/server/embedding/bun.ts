/** `createSandbox` on Bun: the server is in this process. */

import { writeCoverage } from '../coverage/written-coverage.ts'
import { bunFlaw } from './bun-version.ts'
import {
  type CreateSandboxOptions,
  createSandboxOn,
  SandboxError,
  type SandboxHandle,
} from './create-sandbox.ts'
import { SharedServer } from './shared-server.ts'

// Loaded by the first sandbox: a program that uses a running server needs none of it.
const shared = new SharedServer(
  async () => (await import('./in-process-server.ts')).startInProcess(),
  0,
)

/**
 * Makes a sandbox; close it, or declare it with `await using`. All sandboxes of the process share a
 * server, which starts with the first and stops with the last.
 */
export async function createSandbox(options: CreateSandboxOptions = {}): Promise<SandboxHandle> {
  const flaw = bunFlaw(process.versions.bun ?? '0')
  if (flaw !== null) throw new SandboxError(flaw)
  return createSandboxOn(shared, options, writeCoverage)
}
