import { textHash } from '../platform/text-hash.ts'
import { CHANNELS, OPERATIONS } from './catalogue.ts'
import { QUESTIONS } from './questions.ts'

let made: string | null = null

/** Eight digits that identify the contract: its operations, channels and open questions. */
export function contractHash(): string {
  made ??= textHash(JSON.stringify([OPERATIONS, CHANNELS, QUESTIONS]), 0)
    .toString(16)
    .padStart(8, '0')
  return made
}
