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

const LIMITS: readonly (readonly [limit: string, number: string, beyond: string])[] = [
  ['weight of requests a minute', '1200', 'HTTP 429 with `null`'],
  ['accounts over all sockets', '10', 'error `Cannot track more than 10 total users.`'],
  ['subscriptions', '1000', 'error `Cannot subscribe to more than 1000 channels.`'],
  ['messages a minute', '2000', 'error `Cannot send more than 2000 messages per minute.`'],
  [
    'sockets at a time',
    '100; 10 and 30 new ones a minute (question `venue-connections`)',
    'the upgrade gets HTTP 429 with `null`',
  ],
]

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
    'A subscription to something that there is not, such as an unknown coin, drops the ' +
      'connection: public clients saw this of the venue. The question ' +
      '`venue-absent-subscription` has the other answers.',
    '## Limits',
    'All requests and sockets of a sandbox are those of one address. `metering: "off"` and the ' +
      'question `venue-rate-limit` lift all of these limits. A minute is one of the session clock.',
    table(['limit', 'number', 'beyond it'], LIMITS),
    'The venue also refuses more than 100 requests by `post` that wait for their answers. Here ' +
      'none is refused for that: how many wait depends on the speed of the machine.',
  )
  return `${text}\n`
}

type Row = [name: string, what: string, from: string]
