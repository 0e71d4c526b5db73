import type { FuzzTarget } from './fuzz-target.ts'
import { conditionTarget } from './targets/condition-target.ts'
import { costTarget } from './targets/cost-target.ts'
import { importTarget } from './targets/import-target.ts'
import { portTarget } from './targets/port-target.ts'
import { sandboxTarget } from './targets/sandbox-target.ts'
import { scenarioTarget } from './targets/scenario-target.ts'
import { snapshotTarget } from './targets/snapshot-target.ts'
import { stateFileTarget } from './targets/state-file-target.ts'
import { tapeTarget } from './targets/tape-target.ts'

/** All fuzzed interfaces of the program. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  sandboxTarget,
  conditionTarget,
  scenarioTarget,
  snapshotTarget,
  tapeTarget,
  importTarget,
  stateFileTarget,
  portTarget,
  costTarget,
]
