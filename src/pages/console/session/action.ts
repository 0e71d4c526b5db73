import type { SandboxControl } from '../../../clients/control/control.ts'
import { say } from '../shell/shell-words.ts'
import { attempt, toast } from '../shell/toast-list.tsx'
import { session } from './connection.ts'

/**
 * Does something with the sandbox that the user has asked for, and says what came of it, also where
 * there is no server to do it; null when it failed.
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
