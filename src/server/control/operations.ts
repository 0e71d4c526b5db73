/** Every declaration in operations/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { ControlOperation } from './control-operation.ts'
import { awaitSettled } from './operations/await.ts'
import { bookmarkDelete } from './operations/bookmark-delete.ts'
import { bookmarkList } from './operations/bookmark-list.ts'
import { bookmarkSet } from './operations/bookmark-set.ts'
import { cast } from './operations/cast.ts'
import { clockAdvance } from './operations/clock-advance.ts'
import { clockSet } from './operations/clock-set.ts'
import { conformanceGet } from './operations/conformance-get.ts'
import { conformanceStart } from './operations/conformance-start.ts'
import { conformanceStop } from './operations/conformance-stop.ts'
import { connectionList } from './operations/connection-list.ts'
import { digest } from './operations/digest.ts'
import { explain } from './operations/explain.ts'
import { guestGet } from './operations/guest-get.ts'
import { health } from './operations/health.ts'
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
import { marketEvents } from './operations/market-events.ts'
import { marketTrigger } from './operations/market-trigger.ts'
import { metrics } from './operations/metrics.ts'
import { playheadMarks } from './operations/playhead-marks.ts'
import { playheadRun } from './operations/playhead-run.ts'
import { playheadSet } from './operations/playhead-set.ts'
import { playheadStep } from './operations/playhead-step.ts'
import { reconcile } from './operations/reconcile.ts'
import { sandboxCreate } from './operations/sandbox-create.ts'
import { sandboxDrop } from './operations/sandbox-drop.ts'
import { sandboxGet } from './operations/sandbox-get.ts'
import { sandboxList } from './operations/sandbox-list.ts'
import { sandboxReset } from './operations/sandbox-reset.ts'
import { scenarioAdd } from './operations/scenario-add.ts'
import { scenarioClear } from './operations/scenario-clear.ts'
import { scenarioGet } from './operations/scenario-get.ts'
import { scenarioLibrary } from './operations/scenario-library.ts'
import { scenarioSet } from './operations/scenario-set.ts'
import { snapshotGet } from './operations/snapshot-get.ts'
import { snapshotPut } from './operations/snapshot-put.ts'
import { storyList } from './operations/story-list.ts'
import { usageSet } from './operations/usage-set.ts'

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  awaitSettled,
  bookmarkDelete,
  bookmarkList,
  bookmarkSet,
  cast,
  clockAdvance,
  clockSet,
  conformanceGet,
  conformanceStart,
  conformanceStop,
  connectionList,
  digest,
  explain,
  guestGet,
  health,
  inviteCreate,
  inviteList,
  journalClear,
  journalCount,
  journalRead,
  journalSet,
  keyChange,
  keyCreate,
  keyDelete,
  keyGet,
  keyList,
  marketEvents,
  marketTrigger,
  metrics,
  playheadMarks,
  playheadRun,
  playheadSet,
  playheadStep,
  reconcile,
  sandboxCreate,
  sandboxDrop,
  sandboxGet,
  sandboxList,
  sandboxReset,
  scenarioAdd,
  scenarioClear,
  scenarioGet,
  scenarioLibrary,
  scenarioSet,
  snapshotGet,
  snapshotPut,
  storyList,
  usageSet,
]
