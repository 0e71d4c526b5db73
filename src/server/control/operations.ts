/** Every declaration in operations/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { ControlOperation } from './control-operation.ts'
import { bookmarkDelete, bookmarkList, bookmarkSet } from './operations/bookmarks.ts'
import { cast } from './operations/cast.ts'
import { claimList, claimMake } from './operations/claims.ts'
import { clockAdvance, clockSet } from './operations/clock.ts'
import { conformanceGet, conformanceStart, conformanceStop } from './operations/conformance.ts'
import { awaitSettled, connectionList } from './operations/connections.ts'
import { coverage } from './operations/coverage.ts'
import { digest } from './operations/digest.ts'
import { explain } from './operations/explain.ts'
import { journalClear, journalCount, journalRead, journalSet } from './operations/journal.ts'
import {
  inviteCreate,
  inviteList,
  keyChange,
  keyCreate,
  keyDelete,
  keyGet,
  keyList,
  usageSet,
} from './operations/keys.ts'
import { marketEvents, marketTrigger } from './operations/market.ts'
import { metrics } from './operations/metrics.ts'
import { playheadMarks, playheadRun, playheadSet, playheadStep } from './operations/playhead.ts'
import { reconcile } from './operations/reconcile.ts'
import {
  sandboxCreate,
  sandboxDrop,
  sandboxGet,
  sandboxList,
  sandboxReset,
} from './operations/sandboxes.ts'
import {
  scenarioAdd,
  scenarioClear,
  scenarioGet,
  scenarioLibrary,
  scenarioSet,
} from './operations/scenarios.ts'
import { guestGet, health } from './operations/server.ts'
import { snapshotGet, snapshotPut } from './operations/snapshots.ts'
import { storyList } from './operations/stories.ts'

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  awaitSettled,
  bookmarkDelete,
  bookmarkList,
  bookmarkSet,
  cast,
  claimList,
  claimMake,
  clockAdvance,
  clockSet,
  conformanceGet,
  conformanceStart,
  conformanceStop,
  connectionList,
  coverage,
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
