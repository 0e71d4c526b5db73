/** docs/terminal.svg: a terminal with the program's output and a pushed frame. */
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { credentials } from '../src/contract/signature.ts'
import { Registry } from '../src/sandbox/registry.ts'
import { worldProvider } from '../src/sandbox/world-provider.ts'
import { startUpText } from '../src/server/commands/serve/start-up-text.ts'
import { memoryTransport } from '../src/server/transport/memory/memory-transport.ts'
import { DEFAULT_TAPE } from '../src/tape/tape-name.ts'
import { ROOT } from './install.ts'

const ORIGIN = 'http://127.0.0.1:4010'
const PATH = '/api/upgrade/v2/hl/ws'
const SUBSCRIBE = '{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}'
const FRAMES = 3

/** The picture, in the reader's preferred colours. The same on every machine. */
export async function terminalPicture(): Promise<string> {
  const frames = await pushedFrames()
  return svg([
    { text: '$ bun start', kind: 'typed' },
    { text: `tapewright listening on ${ORIGIN}`, kind: 'said' },
    ...startUpText(ORIGIN)
      .split('\n')
      .map((text): Line => ({ text, kind: 'said' })),
    { text: '', kind: 'said' },
    { text: `> ws ${PATH}?AccessKeyId=demo&…`, kind: 'typed' },
    { text: `> ${SUBSCRIBE}`, kind: 'typed' },
    ...frames.map((text): Line => ({ text: `< ${text}`, kind: 'pushed' })),
  ])
}

/** A sandbox's pushes to a subscriber at the start of the default tape. */
async function pushedFrames(): Promise<string[]> {
  const provider = worldProvider({
    tape: DEFAULT_TAPE,
    seed: 1,
    log: () => {},
    recordings: path.join(ROOT, 'recordings'),
    cacheDir: path.join(ROOT, '.cache', 'worlds'),
  })
  const registry = new Registry(provider, ACTIVE_ACTIONS, { clock: 'held', epoch: 'tape' })
  const sandbox = await registry.open()
  const signature = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: 'picture',
    timestampS: Math.floor(Date.now() / 1000),
  })
  const socket = memoryTransport(registry).connect(
    `${PATH}?${new URLSearchParams({ ...signature })}`,
  )
  if (!('frames' in socket)) throw new Error(socket.body)
  socket.send(SUBSCRIBE)
  await sandbox.clock.advance(10_000)
  registry.close()
  return socket.frames.slice(0, FRAMES)
}

interface Line {
  text: string
  kind: 'typed' | 'said' | 'pushed'
}

const [CHARACTER_PX, LINE_PX, MARGIN_PX] = [7.25, 18, 16]
const LETTERS_MAX = 112

function svg(lines: readonly Line[]): string {
  const width = Math.ceil(LETTERS_MAX * CHARACTER_PX + 2 * MARGIN_PX)
  const height = lines.length * LINE_PX + 2 * MARGIN_PX
  const texts = lines.flatMap(({ text, kind }, row) =>
    text === ''
      ? []
      : [
          `<text class="${kind}" x="${MARGIN_PX}" y="${MARGIN_PX + row * LINE_PX + 13}">` +
            `${escaped(cut(text))}</text>`,
        ],
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" role="img" ` +
      `width="${width}" viewBox="0 0 ${width} ${height}">`,
    '<title>Tapewright in a terminal</title>',
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" rx="8"/>`,
    ...texts,
    '</svg>\n',
  ].join('\n')
}

const STYLE = `
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #24292f }
rect { fill: #f6f8fa; stroke: #d0d7de }
.typed { fill: #0550ae; font-weight: 600 }
.pushed { fill: #116329 }
@media (prefers-color-scheme: dark) {
  text { fill: #d1d7e0 }
  rect { fill: #151b23; stroke: #3d444d }
  .typed { fill: #79c0ff }
  .pushed { fill: #7ee787 }
}
`

const cut = (text: string) =>
  text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX - 1)}…` : text
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
