import { type CommandGroup, command } from './command.ts'
import { TAPE_CUT, TAPE_INFO, TAPE_MERGE, TAPE_SYNTH, TAPE_VERIFY } from './tape/declarations.ts'
import { TAPE_IMPORT } from './tape/import-declaration.ts'

const inspecting = () => import('./tape/inspect-actions.ts')
const creating = () => import('./tape/create-actions.ts')

/** `tapewright tape`: the commands on tape files. */
export const TAPE: CommandGroup = {
  name: 'tape',
  summary: 'look at, check, import, cut, merge and synthesise tapes',
  about:
    'Looks at, checks, converts and makes tapes. A tape is named as a file, or by the name of a ' +
    'recording that comes along, such as default.',
  actions: [
    command(TAPE_INFO, async () => (await inspecting()).info),
    command(TAPE_VERIFY, async () => (await inspecting()).verify),
    command(TAPE_IMPORT, async () => (await import('./tape/import-action.ts')).importFiles),
    command(TAPE_CUT, async () => (await creating()).cut),
    command(TAPE_MERGE, async () => (await creating()).merge),
    command(TAPE_SYNTH, async () => (await creating()).synth),
  ],
}
