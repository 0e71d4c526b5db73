import { IMPORTERS } from '../tape/importers/index.ts'
import { UserError } from '../user-error.ts'
import type { Command } from './command.ts'
import { cut, importFiles, merge, synth } from './tape/create-actions.ts'
import { info, verify } from './tape/inspect-actions.ts'

const ACTIONS: Record<string, (args: string[]) => Promise<number>> = {
  info,
  verify,
  import: importFiles,
  cut,
  merge,
  synth,
}

const IMPORT_FORMS = IMPORTERS.map(({ name, summary }) => `                    ${name}: ${summary}`)

const USAGE = `tapewright tape <action> …

Looks at, checks, converts and makes tapes. A tape whose name ends in .zst is written with zstd.

tapewright tape info TAPE            header, counts and what each coin did
    --json                           the same as JSON
tapewright tape verify TAPE          checks every line and follows the books; lists findings
    --json                           the same as JSON; the exit code is 1 with findings
tapewright tape import FILE… --out TAPE
    --from FORM                      the form of the recording (default: recognised)
${IMPORT_FORMS.join('\n')}
    --resync                         after a break in the book's changes, go on at the next
                                     full book (default: a break is refused)
tapewright tape cut TAPE --out TAPE
    --from MOMENT --to MOMENT        first moment in and first moment out: ms since 1970, or from
                                     the start of the tape: 250ms, 30s, 5m, 1h
    --coins BTC,ETH                  only these, without raw exchanges and frames
tapewright tape merge TAPE TAPE… --out TAPE
tapewright tape synth --seed N --out TAPE
    --minutes N                      length (20)`

/** `tapewright tape`: the commands on tape files. */
export const tape: Command = {
  name: 'tape',
  summary: 'look at, check, import, cut, merge and synthesise tapes',
  usage: USAGE,
  async run([action = '', ...args]) {
    const known = Object.keys(ACTIONS)
    const run = known.includes(action) ? ACTIONS[action] : undefined
    if (run) return run(args)
    const problem = action === '' ? 'tape needs an action' : `there is no "tape ${action}"`
    throw new UserError(`${problem}, the actions are ${known.join(', ')}`)
  },
}
