/** The worlds of a server without flags. */

import {
  cacheFolder,
  memoryBytes,
  packedWorldsFolder,
  RECORDINGS_FOLDER,
} from '../../../platform/environment.ts'
import type { WorldProvider } from '../../../sandbox/loaded-world.ts'
import { worldProvider } from '../../../sandbox/world-provider.ts'
import { DEFAULT_TAPE } from '../../../tape/tape-name.ts'

export const defaultWorlds = (): WorldProvider =>
  worldProvider({
    tape: DEFAULT_TAPE,
    seed: 1,
    recordings: RECORDINGS_FOLDER,
    cacheDir: cacheFolder(),
    packedDir: packedWorldsFolder(),
    memory: { bytes: memoryBytes(), isFlag: false },
    log: (text) => console.error(`tapewright: ${text}`),
  })
