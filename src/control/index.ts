/** The operations of the control plane. A test compares the list with the folder. */
import { json } from '../pipeline/exchange.ts'
import type { Registry } from '../sandbox/registry.ts'
import { type Guard, guarded } from './guard.ts'
import { controlOpenapi } from './openapi.ts'
import { type ControlOperation, routeOf } from './operation.ts'
import { awaitSettled } from './operations/await.ts'
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
import { markDelete } from './operations/mark-delete.ts'
import { markList } from './operations/mark-list.ts'
import { markSet } from './operations/mark-set.ts'
import { playheadRun } from './operations/playhead-run.ts'
import { playheadSet } from './operations/playhead-set.ts'
import { playheadStep } from './operations/playhead-step.ts'
import { sandboxCreate } from './operations/sandbox-create.ts'
import { sandboxDrop } from './operations/sandbox-drop.ts'
import { sandboxGet } from './operations/sandbox-get.ts'
import { sandboxList } from './operations/sandbox-list.ts'
import { sandboxReset } from './operations/sandbox-reset.ts'
import { scenarioAdd } from './operations/scenario-add.ts'
import { scenarioClear } from './operations/scenario-clear.ts'
import { scenarioGet } from './operations/scenario-get.ts'
import { scenarioSet } from './operations/scenario-set.ts'
import { snapshotGet } from './operations/snapshot-get.ts'
import { snapshotPut } from './operations/snapshot-put.ts'
import { usageSet } from './operations/usage-set.ts'
import type { Route } from './route.ts'

export const CONTROL: readonly ControlOperation[] = [
  sandboxCreate,
  sandboxList,
  sandboxGet,
  sandboxDrop,
  sandboxReset,
  snapshotGet,
  snapshotPut,
  clockSet,
  clockAdvance,
  playheadSet,
  playheadStep,
  playheadRun,
  markList,
  markSet,
  markDelete,
  awaitSettled,
  cast,
  keyCreate,
  keyList,
  keyGet,
  keyChange,
  keyDelete,
  usageSet,
  inviteCreate,
  inviteList,
  scenarioGet,
  scenarioSet,
  scenarioAdd,
  scenarioClear,
  journalRead,
  journalCount,
  journalSet,
  journalClear,
  explain,
]

/** The routes of the control plane, guarded, and its own document. */
export function controlRoutes(registry: Registry, guard: Guard): Route[] {
  const routes = CONTROL.map((operation) => routeOf(operation, registry))
  return [...routes, paper].map((route) => guarded(route, guard))
}

const paper: Route = {
  method: 'GET',
  path: '/_control/openapi.json',
  answer: async () => json(200, JSON.stringify(controlOpenapi(CONTROL), null, 2)),
}
