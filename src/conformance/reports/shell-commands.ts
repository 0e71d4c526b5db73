/** Command lines that ask again what a case has asked, for a POSIX shell. */
import type { Asked } from '../../samples/asked.ts'
import { shellSample } from '../../samples/shell.ts'
import type { Said } from '../conversation.ts'
import { signatureText } from './evidence-text.ts'

/** With curl or websocat; the signature is computed with openssl when it is run. */
export const shellCommand = (said: Said): string =>
  shellSample(askedBy(said), signatureText(said).slice(1, -1))

/** The suite again, for one case only. */
export const onlyCommand = (run: string, id: string): string => `${run} --only ${id}`

function askedBy(said: Said): Asked {
  const { address, signature } = said
  const place = { address, signedIn: signature.in, ageS: signature.ageS }
  if (said.kind === 'request') {
    const { method, body } = said
    return { kind: 'request', method, ...place, ...(body === undefined ? {} : { body }) }
  }
  const sent = said.frames.filter(({ from, text }) => from === 'suite' && !text.startsWith('('))
  return { kind: 'socket', ...place, frames: sent.map(({ text }) => text) }
}
