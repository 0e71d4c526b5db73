/** Where the service is, and how it is asked: four signed parameters in the query. */
const SERVICE = 'https://market-data.example'
const PREFIX = '/api/upgrade/v2'

/** The address of a socket, signed now. */
export async function socketUrl(keys, path) {
  return `${SERVICE.replace(/^http/, 'ws')}${PREFIX}${path}?${await signedQuery(keys)}`
}

/** The `data` of an answer; throws an error with the status. */
export async function read(keys, path) {
  const response = await fetch(`${SERVICE}${PREFIX}${path}?${await signedQuery(keys)}`)
  if (!response.ok) throw new Error(`the service answers ${response.status}`)
  return (await response.json()).data
}

/** HMAC-SHA1 as lower-case hexadecimal, and that text in Base64. */
async function signedQuery({ accessKey, secretKey }) {
  const nonce = crypto.randomUUID()
  const timestamp = Math.floor(Date.now() / 1000)
  const query = `AccessKeyId=${accessKey}&SignatureNonce=${nonce}&Timestamp=${timestamp}`
  const bytes = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const secret = bytes.encode(secretKey)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(query)))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${query}&Signature=${encodeURIComponent(btoa(hex))}`
}
