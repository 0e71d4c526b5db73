/** The recording is searched for every secret that passed, in every encoding. */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gzipSync, zstdDecompressSync } from 'node:zlib'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

const SECRETS = {
  accessKey: 'ak+/=ü"7f3c9d21',
  secretKey: 'sk-91be55\\20aa/x',
  signature: `${btoa('0123456789abcdef0123456789abcdef01234567')}`,
  bearer: 'eyJhbGciOiJIUzI1NiJ9.e30.abcdefgh',
  cookie: 'session-77a1b2c3d4',
  invite: 'invite-5d6e7f8a9b',
  tag: 'customer-tag-4242',
}

/** Echoes everything, in each way a service might. */
function echo(): string {
  const all = Object.values(SECRETS)
  return JSON.stringify({
    code: '0',
    data: { access_key: SECRETS.accessKey, secret_key: SECRETS.secretKey },
    plain: all.join(' '),
    percent: all.map(encodeURIComponent).join('&'),
    base64: all.flatMap((one) => [
      btoa(toBytes(one)),
      btoa(toBytes(`.${one}`)),
      btoa(toBytes(`..${one}`)),
    ]),
    nested: JSON.stringify({ text: JSON.stringify(all) }),
  })
}

const toBytes = (text: string) => Buffer.from(text).toString('latin1')

const service = Bun.serve({
  port: 0,
  fetch(request, server) {
    if (server.upgrade(request)) return undefined
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'set-cookie': `sid=${SECRETS.cookie}; Path=/`,
    }
    return new Response(gzipSync(echo()), { headers })
  },
  websocket: {
    perMessageDeflate: true,
    message(socket, text) {
      socket.send(text, true)
      socket.send(Buffer.from(echo()))
      socket.close(4000, `bye ${SECRETS.invite}`)
    },
  },
})
afterAll(() => service.stop(true))

/** All readable forms of a secret: plain, and in each encoding at each alignment. */
function forms(secret: string): string[] {
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = btoa(toBytes(' '.repeat(shift) + secret))
    return encoded.slice(Math.ceil((shift * 8) / 6), -4)
  })
  const inJson = [1, 2, 3].map((times) => {
    let text = secret
    for (let count = 0; count < times; count++) text = JSON.stringify(text).slice(1, -1)
    return text
  })
  const percent = encodeURIComponent(secret)
  return [secret, percent, percent.toLowerCase(), ...inJson, ...shifted]
}

for (const name of ['secrets.tape.ndjson', 'secrets.tape.ndjson.zst'])
  test(`no secret is in ${name}`, async () => {
    const path = at(name)
    const recorder = await startedRecorder({
      path,
      upstream: `http://127.0.0.1:${service.port}`,
      fields: ['customerTag'],
    })
    const { accessKey, secretKey, signature, invite, tag, bearer, cookie } = SECRETS
    const signed = new URLSearchParams({ AccessKeyId: accessKey, Signature: signature })
    const body = JSON.stringify({ invite_token: invite, customer_tag: tag, login: { secretKey } })
    const headers = { authorization: `Bearer ${bearer}`, cookie: `sid=${cookie}` }
    const { origin } = recorder
    await (await fetch(`${origin}/a?${signed}`, { method: 'POST', body, headers })).text()
    await (await fetch(`${origin}/b?customerTag=${tag}&${signed}`)).text()
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws?${signed}`)
    await new Promise((resolve) => {
      socket.onopen = () => socket.send(JSON.stringify({ AccessKeyId: accessKey, text: body }))
      socket.onclose = resolve
    })
    const events = await recorder.events()
    expect(events.map(({ kind }) => kind)).toEqual([
      'exchange',
      'exchange',
      'connection',
      'frame',
      'frame',
      'frame',
      'connection',
    ])
    const bytes = readFileSync(path)
    const written = (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8')
    for (const [which, secret] of Object.entries(SECRETS))
      for (const form of forms(secret))
        expect([which, written.includes(form)]).toEqual([which, false])
    // Binary messages are in Base64 themselves.
    const binary = events.flatMap(({ kind, data }) =>
      kind === 'frame' && data.base64 !== undefined ? [atob(data.base64)] : [],
    )
    for (const [which, secret] of Object.entries(SECRETS))
      expect([which, binary.join('').includes(toBytes(secret))]).toEqual([which, false])
    expect(binary).toHaveLength(1)
  })
