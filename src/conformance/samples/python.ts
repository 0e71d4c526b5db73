/** A program in Python that asks something again. */
import { type Asked, type AskedRequest, type AskedSocket, fieldsOf } from './shell.ts'

/** Requests by the standard library, sockets by the package `websockets`. */
export const pythonSample = (asked: Asked): string =>
  asked.kind === 'request' ? requestProgram(asked) : socketProgram(asked)

function requestProgram(asked: AskedRequest): string {
  const { method, body, signedIn } = asked
  const fields = signedIn === 'body' && body !== undefined ? fieldsOf(body) : null
  const data =
    body === undefined
      ? ''
      : fields
        ? `, data=json.dumps({**json.loads(${text(body)}), **signed()}).encode()`
        : `, data=${text(body)}.encode()`
  const headers = body === undefined ? '' : ", headers={'content-type': 'application/json'}"
  const used = ['json', ...importsOf(asked), 'urllib.error', 'urllib.parse', 'urllib.request']
  return [
    `import ${used.sort().join(', ')}`,
    ...signing(asked),
    '',
    `url = ${urlText(asked)}`,
    `request = urllib.request.Request(url, method=${text(method)}${data}${headers})`,
    'try:',
    '    answer = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refused:',
    '    answer = refused',
    "print(answer.status, answer.read().decode('utf-8'))",
    '',
  ].join('\n')
}

function socketProgram(asked: AskedSocket): string {
  return [
    '# pip install websockets',
    `import ${['asyncio', ...importsOf(asked), 'urllib.parse', 'websockets'].sort().join(', ')}`,
    ...signing(asked),
    '',
    '',
    'async def follow():',
    `    async with websockets.connect(${urlText(asked)}) as socket:`,
    ...asked.frames.map((frame) => `        await socket.send(${text(frame)})`),
    '        async for frame in socket:',
    '            print(frame)',
    '',
    '',
    'asyncio.run(follow())',
    '',
  ].join('\n')
}

const importsOf = ({ signedIn }: Asked): string[] =>
  signedIn === 'nowhere' ? [] : ['base64', 'hashlib', 'hmac', 'os', 'time', 'uuid']

function signing({ signedIn, ageS }: Asked): string[] {
  if (signedIn === 'nowhere') return []
  const time = ageS === 0 ? 'int(time.time())' : `int(time.time()) - ${ageS}`
  return [
    '',
    '',
    'def signed():',
    "    key, secret = os.environ['ACCESS_KEY'], os.environ['SECRET_KEY']",
    `    nonce, timestamp = uuid.uuid4().hex, str(${time})`,
    "    text = f'AccessKeyId={key}&SignatureNonce={nonce}&Timestamp={timestamp}'",
    '    digest = hmac.new(secret.encode(), text.encode(), hashlib.sha1).hexdigest()',
    '    signature = base64.b64encode(digest.encode()).decode()',
    "    parts = {'AccessKeyId': key, 'SignatureNonce': nonce, 'Timestamp': timestamp}",
    "    return {**parts, 'Signature': signature}",
    '',
  ]
}

function urlText({ address, signedIn }: Asked): string {
  if (signedIn !== 'query') return text(address)
  const start = text(`${address}${address.includes('?') ? '&' : '?'}`)
  return `${start} + urllib.parse.urlencode(signed())`
}

/** A literal of Python: for texts JSON is one. */
const text = (value: string): string => JSON.stringify(value)
