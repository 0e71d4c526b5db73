/** Command lines that ask again what a case has asked, for a POSIX shell. */

import type { Said } from '../conversation.ts'
import type { Asked } from '../samples/asked.ts'
import { shellSample } from '../samples/shell.ts'
import { signatureText } from './evidence-text.ts'

/** With curl or websocat; the signature is computed with openssl when it is run. */
export function shellCommand(said: Said): string {
  const { isAltered, sent } = said.signature
  const signed = signatureText(said).slice(1, -1)
  if (!isAltered) return shellSample(askedBy(said), { by: signed })
  // What is made of the secret in a wrong way is made by the case alone.
  if (sent === undefined) return shellSample(askedBy(said), { by: `${signed}, rightly here` })
  return shellSample(askedBy(said), { by: signed, sent })
}

/** The suite again, for one case only. */
export const onlyCommand = (run: string, id: string): string => `${run} --only ${id}`

function askedBy(said: Said): Asked {
  const { address, signature } = said
  const place = { address, signedIn: signature.in, ageS: signature.ageS }
  if (said.kind === 'request') {
    const { method, body } = said
    return { kind: 'request', method, ...place, ...(body === undefined ? {} : { body }) }
  }
  if (said.answer !== null) {
    const http = { ...place, address: address.replace(/^ws/, 'http') }
    return { kind: 'request', method: 'GET', ...http, opensSocket: true }
  }
  const sent = said.frames.filter(({ from, text }) => from === 'suite' && !text.startsWith('('))
  return { kind: 'socket', ...place, frames: sent.map(({ text }) => text) }
}
