import { FINDINGS_MAX, inspectTape, type TapeInspection } from '../../../tape/tape-inspection.ts'
import { openTape, type Tape } from '../../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import type { TAPE_VERIFY } from './inspect-declarations.ts'
import { tapeOf } from './text-output.ts'

/** `tape verify`: reads everything and follows the books; exit code 1 with findings. */
export const verify: Run<typeof TAPE_VERIFY> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const result = await inspectTape(tape)
  if (flags.json) {
    const { events, findingCount, findings } = result
    console.log(JSON.stringify({ tape: tape.path, events, found: findingCount, findings }))
  } else console.log(verifyText(tape, result))
  return result.findingCount === 0 ? 0 : 1
}

function verifyText(
  { path, header }: Tape,
  { events, coins, findings, findingCount }: TapeInspection,
): string {
  const ended = header.open ? 'not ended, ' : ''
  if (findingCount === 0) return `${path}: ${ended}sound, ${events} events of ${coins.length} coins`
  const lines = findings.map(
    ({ seq, time, coin, what }) => `  seq ${seq} at ${time}, ${coin}: ${what}`,
  )
  const more = findingCount > FINDINGS_MAX ? [`  and ${findingCount - FINDINGS_MAX} more`] : []
  return [`${path}: ${findingCount} findings in ${events} events`, ...lines, ...more].join('\n')
}
