import type { SandboxControl } from '../../../clients/control/control.ts'
import { attempt, toast } from '../shell/toast-list.tsx'
import { say } from '../shell/words.ts'
import { session } from './connection.ts'

/**
 * Runs a user's action on the sandbox, and shows the result, even without a server; null when it
 * failed.
 */
export async function act<T>(
  task: (control: SandboxControl) => Promise<T>,
  done?: string,
): Promise<T | null> {
  const control = session.value?.control
  if (control) return attempt(() => task(control), done)
  toast('failed', say('notDone'))
  return null
}
