import { contractHash } from '../contract/contract-hash.ts'
import { type Static, Type } from '../contract/schema.ts'
import { textHash } from '../platform/text-hash.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { VERSION } from '../version.ts'

export const DigestRecord = Type.Object(
  {
    digest: Type.String({
      description: '16 digits of all answers, and 16 of all frames of each socket',
    }),
    answers: Type.Integer({ description: 'how many answers' }),
    frames: Type.Integer({ description: 'how many frames' }),
    run: Type.Object(
      {
        version: Type.String({ description: 'of Tapewright' }),
        contract: Type.String({ description: 'hash of operations, channels and open questions' }),
        world: Type.String({ description: 'tape digest and seed' }),
        events: Type.String({ description: 'hash of what the market was told; 0 for nothing' }),
      },
      { description: 'what they follow from, besides what was asked and when' },
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
