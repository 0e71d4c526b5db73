import type { Door } from './door.ts'
import { conditionDoor } from './doors/condition-door.ts'
import { importDoor } from './doors/import-door.ts'
import { portDoor } from './doors/port-door.ts'
import { sandboxDoor } from './doors/sandbox-door.ts'
import { scenarioDoor } from './doors/scenario-door.ts'
import { snapshotDoor } from './doors/snapshot-door.ts'
import { stateFileDoor } from './doors/state-file-door.ts'
import { tapeDoor } from './doors/tape-door.ts'

/** Every way into the program that is fuzzed. */
export const DOORS: readonly Door[] = [
  sandboxDoor,
  conditionDoor,
  scenarioDoor,
  snapshotDoor,
  tapeDoor,
  importDoor,
  stateFileDoor,
  portDoor,
]
