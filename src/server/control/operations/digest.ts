/** The digest of everything that a sandbox has sent. */

import { CHANNELS, OPERATIONS } from '../../../contract/catalogue.ts'
import { QUESTIONS } from '../../../contract/questions.ts'
import { type Static, Type } from '../../../contract/schema.ts'
import { textHash } from '../../../platform/text-hash.ts'
import { VERSION } from '../../../platform/version.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { controlOperation } from '../control-operation.ts'

export const DigestRecord = Type.Object(
  {
    digest: Type.String({
      description: '16 digits for all answers, then 16 for all frames',
    }),
    answers: Type.Integer({ description: 'number of answers' }),
    frames: Type.Integer({ description: 'number of frames' }),
    run: Type.Object(
      {
        version: Type.String({ description: 'version of Tapewright' }),
        contract: Type.String({ description: 'hash of operations, channels and open questions' }),
        world: Type.String({ description: 'tape digest and seed' }),
        events: Type.String({ description: 'hash of the market events; 0 if there are none' }),
      },
      { description: 'inputs of the run, except the requests and their times' },
    ),
  },
  { title: 'Digest' },
)

/** The digest of a sandbox's output, and of its inputs. */
function digestRecord({ outputDigest, world, marketEvents }: Sandbox): Static<typeof DigestRecord> {
  const { timed } = marketEvents
  const events = timed.length === 0 ? '0' : textHash(JSON.stringify(timed), 0).toString(16)
  return {
    digest: outputDigest.text,
    answers: outputDigest.answers,
    frames: outputDigest.frames,
    run: { version: VERSION, contract: contractHash(), world: world.id, events },
  }
}

/** The digest in one line. */
export function digestLine(sandbox: Sandbox): string {
  const { digest, answers, frames, run } = digestRecord(sandbox)
  const { version, contract, world, events } = run
  return (
    `digest of ${sandbox.id}: ${digest}, ${answers} answers, ${frames} frames; ` +
    `version ${version}, contract ${contract}, world ${world}, events ${events}`
  )
}

export const digest = controlOperation({
  id: 'digest',
  method: 'GET',
  path: '/sandboxes/:id/digest',
  title: 'The digest of everything that the sandbox has sent',
  about:
    'Covers answers to requests and frames of sockets since the sandbox was made or reset, in ' +
    'this process. Two sandboxes with the same requests at the same instants of a held clock ' +
    'have the same digest; the order of parallel requests does not matter. Calls of the ' +
    'control plane are not included.',
  data: DigestRecord,
  answer: (_, { sandbox }) => digestRecord(sandbox()),
})

let contractDigits: string | null = null

/** Eight digits that identify the contract: its operations, channels and open questions. */
function contractHash(): string {
  contractDigits ??= textHash(JSON.stringify([OPERATIONS, CHANNELS, QUESTIONS]), 0)
    .toString(16)
    .padStart(8, '0')
  return contractDigits
}
