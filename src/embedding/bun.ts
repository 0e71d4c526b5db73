/** `createSandbox` on Bun: the server is in this process. */
import { type CreateSandboxOptions, createSandboxOn, type SandboxHandle } from './create-sandbox.ts'
import { SharedServer } from './shared-server.ts'

// Loaded by the first sandbox: who uses a running server needs none of it.
const shared = new SharedServer(
  async () => (await import('./in-process-server.ts')).startInProcess(),
  0,
)

/**
 * Makes a sandbox; close it, or declare it with `await using`. All sandboxes of the process share a
 * server, which starts with the first and stops with the last.
 */
export function createSandbox(options: CreateSandboxOptions = {}): Promise<SandboxHandle> {
  return createSandboxOn(shared, options)
}
