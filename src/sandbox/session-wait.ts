import type { Sandbox } from './sandbox.ts'

/** Resolves after so much session time, or when the sandbox is gone. */
export function waitSessionTime(sandbox: Sandbox, ms: number): Promise<void> {
  return new Promise((resume) => {
    const removeListener = sandbox.onStop(() => resume())
    sandbox.clock.after(ms, () => {
      removeListener()
      resume()
    })
  })
}
