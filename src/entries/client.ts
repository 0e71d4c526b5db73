/** `tapewright/client`: a typed client of the contract, for tests, scripts and pages. */
export {
  type BookStatus,
  LocalBook,
  type LocalBookOptions,
  type SoundBook,
} from '../clients/service/book/local-book.ts'
export type { Checker, Flaw } from '../clients/service/checking/checker.ts'
export { contractChecker } from '../clients/service/checking/contract-checker.ts'
export { type Client, client } from '../clients/service/client.ts'
export type { ChannelName, ChannelTypes } from '../clients/service/contract/channels.ts'
export { coin } from '../clients/service/contract/coin.ts'
export { content } from '../clients/service/contract/content.ts'
export { distributor } from '../clients/service/contract/distributor.ts'
export { futures } from '../clients/service/contract/futures.ts'
export { index } from '../clients/service/contract/index.ts'
export { indicator } from '../clients/service/contract/indicator.ts'
export type { InfoAnswer, InfoRequest, InfoTypeName } from '../clients/service/contract/info.ts'
export { mix } from '../clients/service/contract/mix.ts'
export { perpdex } from '../clients/service/contract/perpdex.ts'
export type * from '../clients/service/contract/records.ts'
export { signal } from '../clients/service/contract/signal.ts'
export { stock } from '../clients/service/contract/stock.ts'
export type { DataOf, InputOf, PushOf, SubscriptionOf } from '../clients/service/contract-types.ts'
export {
  AnswerError,
  ClientError,
  ConnectionError,
  ServiceError,
} from '../clients/service/errors.ts'
export { type ClientOf, clientOf, type StreamCalls } from '../clients/service/lean-client.ts'
export {
  completedTrades,
  discoveredTraders,
  newsItems,
  rssItems,
  strategySignals,
} from '../clients/service/requests/pages.ts'
export type { RefusalKind } from '../clients/service/requests/refusal-kind.ts'
export type { CallOptions } from '../clients/service/requests/request.ts'
export { instantMs } from '../clients/service/requests/request.ts'
export { TimeoutError } from '../clients/service/requests/request-sender.ts'
export type { ClientSettings, StreamName } from '../clients/service/settings.ts'
export type {
  Listener,
  Push,
  PushInfo,
  StreamEvent,
  StreamState,
  SubscribeOptions,
  Subscription,
} from '../clients/service/streams/subscription.ts'
