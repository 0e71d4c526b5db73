import { expect, test } from 'bun:test'
import { credentials, sign, stringToSign } from './signature.ts'
import { isSigned } from './signature-check.ts'

const parts = {
  AccessKeyId: '975988f45090561684b7d8f4e45b85c2',
  SignatureNonce: '2',
  Timestamp: '1612149637',
}
const secret = '957f23f2d6435e37d4ac21f3e9a67d45'
const signature = 'M2Y0ODNlYTUwNDFiMTg5MjRmMGQxNmY1YTMyMzc1NTc5NTUzNDAzYw=='

test('the published vector is reproduced', () => {
  expect(stringToSign(parts)).toBe(
    'AccessKeyId=975988f45090561684b7d8f4e45b85c2&SignatureNonce=2&Timestamp=1612149637',
  )
  expect(sign(parts, secret)).toBe(signature)
})

test('only the exact signature is accepted', () => {
  expect(isSigned({ ...parts, Signature: signature }, secret)).toBe(true)
  for (const wrong of [
    '',
    'x',
    signature.slice(0, -1),
    signature.toLowerCase(),
    `${signature}=`,
    'é'.repeat(28),
  ])
    expect(isSigned({ ...parts, Signature: wrong }, secret)).toBe(false)
  expect(isSigned({ ...parts, Signature: signature }, 'another')).toBe(false)
})

test('credentials carry all four values as text', () => {
  const made = credentials({
    accessKey: parts.AccessKeyId,
    secretKey: secret,
    nonce: '2',
    timestampS: 1612149637,
  })
  expect(made).toEqual({ ...parts, Signature: signature })
})
