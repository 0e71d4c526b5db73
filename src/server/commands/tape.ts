import { type CommandGroup, command } from './command.ts'
import { TAPE_CUT, TAPE_MERGE, TAPE_SYNTH } from './tape/declarations.ts'
import { TAPE_EXPORT, TAPE_IMPORT } from './tape/import-declaration.ts'
import { TAPE_DIFF, TAPE_INFO, TAPE_PLOT, TAPE_VERIFY } from './tape/inspect-declarations.ts'
import { TAPE_NORMALISE } from './tape/normalise-declaration.ts'

const inspecting = () => import('./tape/inspect-actions.ts')
const recordings = () => import('./tape/recording-actions.ts')
const creating = () => import('./tape/create-actions.ts')

/** `tapewright tape`: the commands on tape files. */
export const TAPE: CommandGroup = {
  name: 'tape',
  summary: 'tapes: info, verify, diff, plot, import, export, normalise, cut, merge, synth',
  about:
    'Inspects, checks, compares, draws, converts and makes tapes. Name a tape by its file, or ' +
    'by the name of an included recording, such as default.',
  actions: [
    command(TAPE_INFO, async () => (await inspecting()).info),
    command(TAPE_VERIFY, async () => (await inspecting()).verify),
    command(TAPE_DIFF, async () => (await inspecting()).diff),
    command(TAPE_PLOT, async () => (await import('./tape/plot-action.ts')).plot),
    command(TAPE_IMPORT, async () => (await import('./tape/import-action.ts')).importFiles),
    command(TAPE_EXPORT, async () => (await recordings()).exportRecording),
    command(TAPE_NORMALISE, async () => (await recordings()).normaliseRecording),
    command(TAPE_CUT, async () => (await creating()).cut),
    command(TAPE_MERGE, async () => (await creating()).merge),
    command(TAPE_SYNTH, async () => (await creating()).synth),
  ],
}
