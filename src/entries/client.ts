/** `tapewright/client`: a typed client of the contract, for tests, scripts and pages. */
export {
  type BookStatus,
  LocalBook,
  type LocalBookOptions,
  type SoundBook,
} from '../client/book/local-book.ts'
export type { Checker, Flaw } from '../client/checking/checker.ts'
export { contractChecker } from '../client/checking/contract-checker.ts'
export { type Client, client } from '../client/client.ts'
export type { ChannelName, ChannelTypes } from '../client/contract/channels.ts'
export { coin } from '../client/contract/coin.ts'
export { content } from '../client/contract/content.ts'
export { distributor } from '../client/contract/distributor.ts'
export { futures } from '../client/contract/futures.ts'
export { index } from '../client/contract/index.ts'
export { indicator } from '../client/contract/indicator.ts'
export type { InfoAnswer, InfoRequest, InfoTypeName } from '../client/contract/info.ts'
export { mix } from '../client/contract/mix.ts'
export { perpdex } from '../client/contract/perpdex.ts'
export type * from '../client/contract/records.ts'
export { signal } from '../client/contract/signal.ts'
export { stock } from '../client/contract/stock.ts'
export type { DataOf, InputOf, PushOf, SubscriptionOf } from '../client/contract-types.ts'
export { AnswerError, ClientError, ConnectionError, ServiceError } from '../client/errors.ts'
export { type ClientOf, clientOf, type StreamCalls } from '../client/lean-client.ts'
export type { CallOptions } from '../client/requests/call-options.ts'
export { instantMs } from '../client/requests/instant.ts'
export {
  completedTrades,
  discoveredTraders,
  newsItems,
  rssItems,
  strategySignals,
} from '../client/requests/pages.ts'
export type { RefusalKind } from '../client/requests/refusal-kind.ts'
export { TimeoutError } from '../client/requests/request-sender.ts'
export type { ClientSettings, StreamName } from '../client/settings.ts'
export type { Listener, Push, PushInfo } from '../client/streams/push.ts'
export type { StreamEvent, StreamState } from '../client/streams/stream-event.ts'
export type { SubscribeOptions, Subscription } from '../client/streams/subscription.ts'
