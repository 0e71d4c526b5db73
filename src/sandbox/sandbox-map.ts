import { UserError } from '../user-error.ts'
import { NumberedMap } from './numbered-map.ts'
import type { Sandbox } from './sandbox.ts'

/** Sandboxes of a process, unless it is told otherwise. */
export const SANDBOXES_MAX = 10_000

/** The sandboxes of a process by id, in the order in which they were made, and so many at most. */
export class SandboxMap extends NumberedMap<Sandbox> {
  constructor(private readonly max: number) {
    super()
  }

  /** A UserError when no sandbox of that id can be added. */
  checkFree(id: string): void {
    if (this.has(id)) throw new UserError(`there is a sandbox "${id}" already`)
    if (this.size < this.max) return
    throw new UserError(
      `there are ${this.size} sandboxes, at most ${this.max} (serve --max-sandboxes): ` +
        'drop some before another one is made',
    )
  }
}
