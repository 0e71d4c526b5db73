import type { Sandbox } from './sandbox.ts'

/** Until so much session time has passed, or the sandbox is gone. */
export function waitSessionTime(sandbox: Sandbox, ms: number): Promise<void> {
  return new Promise((resume) => {
    const removeListener = sandbox.onStop(() => resume())
    sandbox.clock.after(ms, () => {
      removeListener()
      resume()
    })
  })
}
