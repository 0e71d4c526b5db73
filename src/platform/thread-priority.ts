/** Priority of the calling thread. */

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'

/** Lowers the priority of this thread and of those it starts, on Linux. Elsewhere it stays. */
export function lowerPriority(): void {
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), LOW_PRIORITY)
  } catch {
    // A failure is harmless: nothing depends on the priority.
  }
}

const LOW_PRIORITY = 5
