/** What holds for all operations and channels, in words. */
import { PREFIXES } from '../contract/index.ts'
import { type Credentials, VALID_MS } from '../contract/signature.ts'

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
  'As Tapewright serves it. Prices, sizes and money are decimal numbers as text.',
  'Every request but the public ones carries four signature parameters in its query string; in a ' +
    'POST or PUT they may stand in the JSON body instead. Business parameters are not signed. ' +
    'The signature is checked first, then the permission, then the parameters.',
  `The same operations answer under the older prefixes ${PREFIXES.slice(1)
    .map((prefix) => `\`${prefix}\``)
    .join(' and ')}.`,
  'Our own keywords in schemas: `x-time` is an instant and its unit (`ms`, `s`, `iso`, `text`, ' +
    '`msDigits` and `sDigits` for numbers written as text), ' +
    '`x-cut` is how much is taken at most, the rest being cut silently, `x-list` is what ' +
    'separates the items of a text, `x-repeat` marks a name that may come more than once, ' +
    '`x-span` is the least and the greatest span of time, ' +
    '`x-form` is what a text is made of, ' +
    '`x-alias` are other spellings of a name. `x-meaning` says what a parameter is: a coin, an ' +
    'address, a symbol, an instant that bounds nothing, the start, the end or the length of ' +
    'a time range, the interval of a row, or how many rows; `x-length` is what a length is ' +
    'written in, ' +
    '`x-usual` the open question that decides it when it is left out, `x-each` the interval of ' +
    'rows that have no parameter for it; `x-cast` is where the list of `cast` has values of it.',
].join('\n\n')
