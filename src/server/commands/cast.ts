/** `tapewright cast`: prints the accounts, coins and ids of a tape. */

import { tapeMs } from '../../clock/instant.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import {
  cacheFolder,
  memoryBytes,
  packedWorldsFolder,
  RECORDINGS_FOLDER,
} from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import { magicCatalogue } from '../../sandbox/fault-injection.ts'
import type { Casting } from '../../sandbox/loaded-world.ts'
import { worldProvider } from '../../sandbox/world-provider.ts'
import type { CAST } from './cast/declaration.ts'
import type { Run } from './command.ts'
import { castingText, progressLine, writeLine } from './terminal.ts'

/** Casts the world if necessary, and prints its cast; or writes a pocket world. */
export const cast: Run<typeof CAST> = async ({ flags }) => {
  const { tape, seed, history, at, json, pocket, coins } = flags
  if (pocket !== undefined) {
    if (history.length > 0) throw new UserError('a pocket world cannot use --history: leave it out')
    if (json || at !== undefined)
      throw new UserError('--pocket prints no cast: leave out --at and --json')
    // Loaded on demand: it casts in this process.
    const { writePocket } = await import('./cast/pocket.ts')
    console.log(await writePocket(pocket, { tape, seed, coins }))
    return 0
  }
  if (coins !== undefined)
    throw new UserError('--coins chooses the coins of a pocket world: also give --pocket FOLDER')
  const progress = progressLine()
  const log = (text: string) => writeLine(`tapewright: ${text}`)
  const settings = {
    tape,
    seed,
    history,
    recordings: RECORDINGS_FOLDER,
    cacheDir: cacheFolder(),
    packedDir: packedWorldsFolder(),
    memory: { bytes: memoryBytes(), isFlag: false },
    log,
    onProgress: (casting: Casting) => progress.show(castingText(casting)),
  }
  const world = await worldProvider(settings)({}).finally(() => progress.clear())
  const { startMs, endMs } = world.timeline
  const atMs = at === undefined ? endMs : at < 1e10 ? startMs + at : at
  const who = world.cast({ atMs: tapeMs(atMs), shiftMs: 0, answers: DEFAULT_ANSWERS }) as object
  console.log(JSON.stringify({ ...who, magic: magicCatalogue() }, null, json ? 0 : 2))
  return 0
}
