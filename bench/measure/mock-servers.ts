/** Mock servers with one path and one text. */
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface MockServer {
  port: number
  stop(): Promise<void>
}

/** Prism, with a document whose example is the response. */
export async function prismOf(
  folder: string,
  urlPath: string,
  answer: string,
): Promise<MockServer> {
  const file = path.join(folder, 'openapi.json')
  const content = { 'application/json': { example: JSON.parse(answer) } }
  const get = { responses: { 200: { description: 'fills', content } } }
  const info = { title: 'mock', version: '1' }
  await Bun.write(file, JSON.stringify({ openapi: '3.1.0', info, paths: { [urlPath]: { get } } }))
  const port = freePort()
  return started(port, urlPath, ['@stoplight/prism-cli@5.16.0', 'mock', '-p', String(port), file])
}

/** Mockoon, with an environment of one route. */
export async function mockoonOf(
  folder: string,
  urlPath: string,
  answer: string,
): Promise<MockServer> {
  const file = path.join(folder, 'mockoon.json')
  const port = freePort()
  const response = {
    uuid: 'response',
    body: answer,
    statusCode: 200,
    headers: [{ key: 'content-type', value: 'application/json' }],
    latency: 0,
    bodyType: 'INLINE',
    default: true,
    rules: [],
    rulesOperator: 'OR',
  }
  const route = {
    uuid: 'route',
    type: 'http',
    method: 'get',
    endpoint: urlPath.slice(1),
    responses: [response],
  }
  await Bun.write(file, JSON.stringify({ uuid: 'mock', name: 'mock', port, routes: [route] }))
  const command = ['@mockoon/cli@9.9.0', 'start', '--data', file, '--port', String(port)]
  return started(port, urlPath, [...command, '--disable-log-to-file', '--repair'])
}

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = server
  server.stop(true)
  return port
}

/** Twice a second: npx may have to download it first, which takes some seconds. */
const ATTEMPTS_MAX = 120

/** Maximum characters of its output in a message. */
const OUTPUT_MAX = 200

async function started(port: number, urlPath: string, command: string[]): Promise<MockServer> {
  const output = Bun.file(path.join(tmpdir(), `tapewright-mock-server-${port}.txt`))
  const child = Bun.spawn(['npx', '-y', ...command], {
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  })
  const stop = async () => {
    child.kill()
    await child.exited
    // Children of npx outlive it.
    Bun.spawnSync(['sh', '-c', `fuser -k ${port}/tcp || true`], { stderr: 'ignore' })
    await output.delete()
  }
  for (let tries = 0; tries < ATTEMPTS_MAX && child.exitCode === null; tries++) {
    const answer = await fetch(`http://localhost:${port}${urlPath}`).catch(() => null)
    if (answer?.ok) return { port, stop }
    await Bun.sleep(500)
  }
  const { exitCode } = child
  const lastLine = (await output.text()).trim().split('\n').at(-1) ?? ''
  await stop()
  const how =
    exitCode === null ? `did not answer within ${ATTEMPTS_MAX / 2} s` : `ended (${exitCode})`
  throw new Error(`${command[0]} ${how}, and said last: ${lastLine.slice(0, OUTPUT_MAX)}`)
}
