import { type Requirement, requirementsOfSection } from './requirement.ts'

/** Who is let in. */
export const AUTHENTICATION: readonly Requirement[] = [
  ...requirementsOfSection('Authentication', {
    'auth.parameters':
      'Every request but registration carries four signature parameters in its query.',
    'auth.string': 'The text that is signed names key, nonce and timestamp in exactly this order.',
    'auth.digest': 'The signature is HMAC-SHA1 as hexadecimal text, that text in Base64.',
    'auth.onlyThree': 'Business parameters and bodies are not part of the signature.',
    'auth.window': 'A Timestamp is valid for 30 seconds.',
    'auth.sockets': 'A socket carries the same four parameters in the query of its connection.',
    'auth.distributor': "Distributor endpoints take the distributor's primary key and no sub key.",
    'auth.register': 'POST /distributor/register needs no signature.',
    'auth.permission': 'A missing permission is HTTP 403.',
  }),
]
