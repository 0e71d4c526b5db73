/** What holds for all operations and channels, in words. */
import { PREFIXES } from '../prefixes.ts'
import { type Credentials, VALID_MS } from '../signature.ts'

/**
 * The four signature parameters and what they are (the service's documentation, Authentication 1
 * to 3).
 */
export const SIGNATURE: Record<keyof Credentials, string> = {
  AccessKeyId: 'the access key',
  SignatureNonce: 'random text',
  Timestamp: `seconds since 1970; valid for ${VALID_MS / 1000} s`,
  Signature:
    'HMAC-SHA1 of `AccessKeyId=…&SignatureNonce=…&Timestamp=…` with the secret key, ' +
    'as lower-case hexadecimal text, that text in Base64',
}

/** Markdown. */
export const INTRODUCTION = [
  'The API as served by Tapewright. Prices, sizes and money are decimal numbers as text.',
  'Every request except the public ones has four signature parameters in its query string; in a ' +
    'POST or PUT they may be in the JSON body instead. Business parameters are not signed. ' +
    'The signature is checked first, then the permission, then the parameters.',
  `The same operations answer under the older prefixes ${PREFIXES.slice(1)
    .map((prefix) => `\`${prefix}\``)
    .join(' and ')}.`,
  'Our keywords in schemas: `x-time` is an instant and its unit (`ms`, `s`, `iso`, `text`, ' +
    '`msDigits` and `sDigits` for numbers written as text), ' +
    '`x-cut` is the maximum; the rest is silently cut. `x-list` is the separator of a list ' +
    'in a text, `x-repeat` marks a name that may be repeated, ' +
    '`x-span` is the smallest and the largest time span, ' +
    '`x-form` is the form of a text, ' +
    '`x-alias` are other spellings of a name. `x-meaning` says what a parameter is: a coin, an ' +
    'address, a symbol, an instant that bounds nothing, the start, the end or the length of ' +
    'a time range, the interval of a row, or how many rows; `x-length` is what a length is ' +
    'written in, ' +
    '`x-usual` the open question that decides its default, `x-each` the interval of ' +
    'rows that have no parameter for it; `x-cast` is where the list of `cast` has values of it.',
].join('\n\n')
