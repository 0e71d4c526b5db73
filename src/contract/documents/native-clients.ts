/** The calls of clients of the perpetual venue, and the answers of the raw profile. */
import { VENUE_INFO_TYPES } from '../info/index.ts'
import { VENUE_CHANNELS } from '../venue.ts'
import { code, paragraphs, table } from './reference.ts'

/** Names that public clients send and that are not answered, and why. */
export const UNANSWERED: Readonly<Record<string, string>> = {
  blockDetails: 'a request of the explorer, which is another service',
  builderFeeApproval: 'the venue has no such type: `maxBuilderFee` is its name',
  explorerBlock: 'a channel of the explorer, which is another service',
  explorerTxs: 'a channel of the explorer, which is another service',
  txDetails: 'a request of the explorer, which is another service',
  userDetails: 'a request of the explorer, which is another service',
  userOrderHistory: 'the venue has no such type: `historicalOrders` is its name',
}

/** Channels that can be subscribed to and have nothing to push. */
const NEVER_PUSHED = new Set(['notification', 'outcomeMetaUpdates'])

const MARKET = 'the market and its accounts'

/** Markdown; `docs/native-clients.md` holds it. */
export function nativeClients(): string {
  const types = VENUE_INFO_TYPES.map(
    ({ type, title, fixed }): Row => [code(type), title, fixed ?? MARKET],
  )
  const channels = VENUE_CHANNELS.map(
    (channel): Row => [
      code(channel.id),
      channel.title,
      NEVER_PUSHED.has(channel.id) ? 'nothing: there are none here' : MARKET,
    ],
  )
  const unanswered = Object.entries(UNANSWERED).map(([name, why]) => [code(name), why])
  const text = paragraphs(
    '# Clients of the perpetual venue',
    '<!-- Written by `bun run generate` from src/contract. Changes belong there. -->',
    'A sandbox with `profile: "raw"` serves clients of the perpetual venue as they are: ' +
      'unsigned, at the root of its base URL. This page lists what it answers. ' +
      '`test/http/native-clients.test.ts` compares it with what public clients send.',
    '## Types of `POST /info`',
    'Over HTTP, and over the socket with the method `post`.',
    table(['type', 'answer', 'made of'], types),
    '## Channels of `/ws`',
    'An acknowledgement has the subscription as the venue echoes it: its known fields in their ' +
      'own order, `null`, `false` or `""` where one was left out, addresses in small letters.',
    table(['channel', 'pushed', 'made of'], channels),
    '## Not answered',
    'Other names are refused as the venue refuses them: 422 over HTTP, the error channel on a ' +
      'socket. Actions (`POST /exchange`) are refused with `{"status":"err"}`.',
    table(['name', 'why'], unanswered),
  )
  return `${text}\n`
}

type Row = [name: string, what: string, from: string]
