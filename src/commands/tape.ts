import { type CommandGroup, command } from './command.ts'
import {
  TAPE_CUT,
  TAPE_IMPORT,
  TAPE_INFO,
  TAPE_MERGE,
  TAPE_NORMALISE,
  TAPE_SYNTH,
  TAPE_VERIFY,
} from './tape/declarations.ts'

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
    command(TAPE_IMPORT, async () => (await creating()).importFiles),
    command(
      TAPE_NORMALISE,
      async () => (await import('./tape/normalise-action.ts')).normaliseRecording,
    ),
    command(TAPE_CUT, async () => (await creating()).cut),
    command(TAPE_MERGE, async () => (await creating()).merge),
    command(TAPE_SYNTH, async () => (await creating()).synth),
  ],
}
