import { createHmac } from 'node:crypto'
import { hexDigest, sign } from '../../src/contract/signature.ts'
import { stillS } from '../still-machine.ts'
import { asking, lettingIn } from './carriers.ts'
import { answer, body, type Deviation, data, reading } from './deviation.ts'

/** Signs anew what is signed in one wrong way, as a service that takes it for right. */
const taking = (isTaken: (query: URLSearchParams) => boolean): Deviation['through'] => {
  return (carrier) =>
    asking(carrier, (_, query, text) => {
      if (query.get('AccessKeyId') === 'demo' && isTaken(query)) resign(query)
      return text
    })
}

function resign(query: URLSearchParams): void {
  const parts = {
    AccessKeyId: 'demo',
    SignatureNonce: query.get('SignatureNonce') ?? 'n',
    Timestamp: String(stillS() + 1),
  }
  query.set('SignatureNonce', parts.SignatureNonce)
  query.set('Timestamp', parts.Timestamp)
  query.set('Signature', sign(parts, 'demo-secret'))
}

const textOf = (query: URLSearchParams, names: string[]) =>
  names.map((name) => `${name}=${query.get(name)}`).join('&')
const USUAL = ['AccessKeyId', 'SignatureNonce', 'Timestamp']
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const isSignedAs =
  (make: (text: string) => string, names = USUAL) =>
  (query: URLSearchParams) =>
    query.get('Signature') === make(textOf(query, names))
const ageS = (query: URLSearchParams) => stillS() - Number(query.get('Timestamp'))
const SECRET = 'demo-secret'

/** What a service can do wrong with signatures, keys and refusals. */
export const CALLER_DEVIATIONS: readonly Deviation[] = [
  {
    says: 'anybody is let in',
    noticed: 'authentication.wrong',
    through: lettingIn,
  },
  {
    says: 'a missing nonce is let pass',
    noticed: 'authentication.parameters',
    through: taking((query) => !query.has('SignatureNonce')),
  },
  {
    says: 'the timestamp may be signed first',
    noticed: 'authentication.order',
    through: taking(
      isSignedAs(
        (text) => base64(hexDigest(text, SECRET)),
        ['Timestamp', 'SignatureNonce', 'AccessKeyId'],
      ),
    ),
  },
  {
    says: 'Base64 of the digest itself is accepted',
    noticed: 'authentication.digest',
    through: taking(isSignedAs((text) => createHmac('sha1', SECRET).update(text).digest('base64'))),
  },
  {
    says: 'upper-case hexadecimal is accepted',
    noticed: 'authentication.digest',
    through: taking(isSignedAs((text) => base64(hexDigest(text, SECRET).toUpperCase()))),
  },
  {
    says: 'a signature is valid for a minute',
    noticed: 'authentication.window.past',
    through: taking((query) => ageS(query) > 30 && ageS(query) < 60),
  },
  {
    says: 'a signature is valid for ten seconds only',
    noticed: 'authentication.window.past',
    through: reading(/./, (query) => ageS(query) > 10 && query.set('Signature', 'x')),
  },
  {
    says: 'a signature from the future is valid',
    noticed: 'authentication.window.future',
    through: taking((query) => ageS(query) < -30),
  },
  {
    says: 'milliseconds are taken for a Timestamp',
    noticed: 'authentication.unit',
    through: taking((query) => (query.get('Timestamp') ?? '').length === 13),
  },
  {
    says: 'an unsigned socket is opened',
    noticed: 'authentication.sockets',
    through: (carrier) => ({
      ...carrier,
      connect: (path) => lettingIn(carrier).connect(path),
    }),
  },
  {
    says: 'a sub key may read the quota',
    noticed: 'authentication.distributor',
    through: (carrier) => {
      const open = lettingIn(carrier)
      const isQuota = (path: string) => /quota.*demo-sub/.test(path)
      const request = (sent: Parameters<typeof carrier.request>[0]) =>
        (isQuota(sent.path) ? open : carrier).request(sent)
      return { ...carrier, request }
    },
  },
  {
    says: 'the words of an invalid signature are others',
    noticed: 'authentication.wrong',
    through: answer(/./, (text) => text.replace('Invalid signature', 'bad signature')),
  },
  {
    says: 'a missing permission is HTTP 200',
    noticed: 'errors.permission',
    through: answer(/./, (text) => (text.includes('"403"') ? { status: 200 } : text)),
  },
  {
    says: 'a missing permission is not named',
    noticed: 'errors.permission',
    through: answer(/./, (text) => text.replace(/Permission denied: \w+/, 'Permission denied')),
  },
  {
    says: 'a key without rights may read coins',
    noticed: 'errors.nothing-granted',
    through: (carrier) => {
      const open = lettingIn(carrier)
      const isCoins = (path: string) => /\/coin\?.*demo-bare/.test(path)
      const request = (sent: Parameters<typeof carrier.request>[0]) =>
        (isCoins(sent.path) ? open : carrier).request(sent)
      return { ...carrier, request }
    },
  },
  {
    says: 'a missing parameter is not named',
    noticed: 'errors.missing',
    through: answer(/./, (text) => text.replace(/missing required parameter: \w+/, 'missing')),
  },
  {
    says: 'a missing parameter is answered with an empty list',
    noticed: 'errors.missing',
    through: answer(/depth/, (text) =>
      text.includes('missing') ? { status: 200, text: '{"code":"0","msg":"","data":[]}' } : text,
    ),
  },
  {
    says: 'a position that is not there is HTTP 404',
    noticed: 'errors.position',
    through: answer(/completed/, (text) => (text.includes('not found') ? { status: 404 } : text)),
  },
  {
    says: 'no position is an error',
    noticed: 'errors.no-position',
    through: answer(/current-position/, (text) =>
      text.includes('"data":null') ? '{"code":"400","msg":"no position","data":null}' : text,
    ),
  },
  {
    says: 'no order is an empty object',
    noticed: 'errors.no-order',
    through: body(/oid/, (whole) => ({ ...whole, data: whole.data ?? {} })),
  },
  {
    says: 'latest-depth of nothing is null',
    noticed: 'errors.empty-depth',
    through: data(/latest-depth/, (depth) => (depth.length === 0 ? null : depth)),
  },
  {
    says: 'a secret key is shown',
    noticed: 'errors.secrets',
    through: answer(/./, (text) => text.replace('"data"', '"hint":"demo-secret","data"')),
  },
  {
    says: 'a signature inside the body is not read',
    noticed: 'authentication.body',
    through: reading(/ai-coins/, (_, given) => given && Reflect.deleteProperty(given, 'Signature')),
  },
  {
    says: 'unknown parameters are refused',
    noticed: 'authentication.only-three',
    through: reading(/./, (query) => query.has('unheard_of') && query.set('Signature', 'x')),
  },
]
