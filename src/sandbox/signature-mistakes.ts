/** What clients do wrong when they sign, and how each is recognised. */
import { CREDENTIAL_NAMES, type Credentials, stringToSign } from '../contract/signature.ts'
import { hexDigest } from '../platform/hmac-sha1.ts'

export type SignatureMistake =
  | 'missing-parameter'
  | 'swapped-id-and-secret'
  | 'unknown-key'
  | 'milliseconds'
  | 'timestamp-not-a-number'
  | 'clock-skew'
  | 'expired'
  | 'replayed-nonce'
  | 'disabled-key'
  | 'raw-digest'
  | 'upper-case-hex'
  | 'hex-without-base64'
  | 'parameter-order'
  | 'url-encoding'
  | 'signed-extra-parameters'
  | 'wrong-key'
  | 'wrong-secret-or-string'

interface CommonMistake {
  mistake: SignatureMistake
  /** @param all every parameter of the query */
  isMade(given: Credentials, secretKey: string, all: Readonly<Record<string, string>>): boolean
  /** @param right what should have been signed */
  explain(right: string): string
}

/** Of a signature that is wrong, in the order in which they are checked. */
export const COMMON_MISTAKES: readonly CommonMistake[] = [
  {
    mistake: 'raw-digest',
    isMade: (given, secretKey) =>
      given.Signature === Buffer.from(rightHex(given, secretKey), 'hex').toString('base64'),
    explain: () => 'the raw digest is in Base64; its hexadecimal text must be',
  },
  {
    mistake: 'upper-case-hex',
    isMade: (given, secretKey) =>
      given.Signature === base64(rightHex(given, secretKey).toUpperCase()),
    explain: () => 'the hexadecimal text is in upper case; it must be lower case',
  },
  {
    mistake: 'hex-without-base64',
    isMade: (given, secretKey) => given.Signature.toLowerCase() === rightHex(given, secretKey),
    explain: () => 'the hexadecimal text is not in Base64',
  },
  {
    mistake: 'url-encoding',
    isMade: (given, secretKey) =>
      percentDecoded(given.Signature) === base64(rightHex(given, secretKey)),
    explain: () => 'Signature is percent-encoded twice',
  },
  {
    mistake: 'parameter-order',
    isMade: (given, secretKey) => signsAny(given, secretKey, parameterOrders(given)),
    explain: (right) => `the parameters are signed in another order than "${right}"`,
  },
  {
    mistake: 'url-encoding',
    isMade: (given, secretKey) => signsAny(given, secretKey, encodedVariants(given)),
    explain: () => 'percent-encoded values are signed; sign them as they are',
  },
  {
    mistake: 'signed-extra-parameters',
    isMade: (given, secretKey, all) => signsAny(given, secretKey, allParametersText(all)),
    explain: () => 'more is signed than the three signature parameters',
  },
]

const base64 = (text: string) => Buffer.from(text).toString('base64')

const rightHex = (given: Credentials, secretKey: string) =>
  hexDigest(stringToSign(given), secretKey)

/** Whether the signature is that of one of the texts. */
const signsAny = ({ Signature }: Credentials, secretKey: string, texts: readonly string[]) =>
  texts.some((text) => base64(hexDigest(text, secretKey)) === Signature)

function parameterOrders(given: Credentials): string[] {
  const parts = CREDENTIAL_NAMES.filter((name) => name !== 'Signature').map(
    (name) => `${name}=${given[name]}`,
  )
  const [a, b, c] = parts as [string, string, string]
  return [
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ].map((order) => order.join('&'))
}

function encodedVariants(given: Credentials): string[] {
  const encoded = { ...given }
  for (const name of CREDENTIAL_NAMES) encoded[name] = encodeURIComponent(given[name])
  return [stringToSign(encoded), encodeURIComponent(stringToSign(given))]
}

/** All parameters but the signature: sorted, and as they were sent. */
function allParametersText(all: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(all).filter(([name]) => name !== 'Signature')
  const text = (list: typeof pairs) => list.map(([name, value]) => `${name}=${value}`).join('&')
  return [text([...pairs].sort(([a], [b]) => (a < b ? -1 : 1))), text(pairs)]
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
