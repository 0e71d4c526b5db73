import { contractHash } from '../../contract/contract-hash.ts'
import { type Static, Type } from '../../contract/schema.ts'
import { textHash } from '../../platform/text-hash.ts'
import { VERSION } from '../../platform/version.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

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

/** What a sandbox has said, and what that follows from. */
export function digestRecord({ said, world, marketEvents }: Sandbox): Static<typeof DigestRecord> {
  const { timed } = marketEvents
  const events = timed.length === 0 ? '0' : textHash(JSON.stringify(timed), 0).toString(16)
  return {
    digest: said.text,
    answers: said.answers,
    frames: said.frames,
    run: { version: VERSION, contract: contractHash(), world: world.id, events },
  }
}

/** The same in one line. */
export function digestLine(sandbox: Sandbox): string {
  const { digest, answers, frames, run } = digestRecord(sandbox)
  const { version, contract, world, events } = run
  return (
    `digest of ${sandbox.id}: ${digest}, ${answers} answers, ${frames} frames; ` +
    `version ${version}, contract ${contract}, world ${world}, events ${events}`
  )
}
