/** The operations of the control plane. A test compares the list with the folder. */
import type { Registry } from '../sandbox/registry.ts'
import { type Guard, guarded } from './guard.ts'
import { type ControlOperation, routeOf } from './operation.ts'
import { cast } from './operations/cast.ts'
import { clockAdvance } from './operations/clock-advance.ts'
import { clockSet } from './operations/clock-set.ts'
import { explain } from './operations/explain.ts'
import { inviteCreate } from './operations/invite-create.ts'
import { inviteList } from './operations/invite-list.ts'
import { journalClear } from './operations/journal-clear.ts'
import { journalCount } from './operations/journal-count.ts'
import { journalRead } from './operations/journal-read.ts'
import { journalSet } from './operations/journal-set.ts'
import { keyChange } from './operations/key-change.ts'
import { keyCreate } from './operations/key-create.ts'
import { keyDelete } from './operations/key-delete.ts'
import { keyGet } from './operations/key-get.ts'
import { keyList } from './operations/key-list.ts'
import { playheadSet } from './operations/playhead-set.ts'
import { sandboxCreate } from './operations/sandbox-create.ts'
import { sandboxDrop } from './operations/sandbox-drop.ts'
import { sandboxGet } from './operations/sandbox-get.ts'
import { sandboxList } from './operations/sandbox-list.ts'
import { sandboxReset } from './operations/sandbox-reset.ts'
import { usageSet } from './operations/usage-set.ts'
import type { Route } from './route.ts'

export const CONTROL: readonly ControlOperation[] = [
  sandboxCreate,
  sandboxList,
  sandboxGet,
  sandboxDrop,
  sandboxReset,
  clockSet,
  clockAdvance,
  playheadSet,
  cast,
  keyCreate,
  keyList,
  keyGet,
  keyChange,
  keyDelete,
  usageSet,
  inviteCreate,
  inviteList,
  journalRead,
  journalCount,
  journalSet,
  journalClear,
  explain,
]

/** The routes of the control plane, guarded. */
export function controlRoutes(registry: Registry, guard: Guard): Route[] {
  return CONTROL.map((operation) => guarded(routeOf(operation, registry), guard))
}
