/** The interface of this module. */

export {
  type Control,
  type ControlCalls,
  ControlError,
  control,
  type SandboxControl,
  type Snapshot,
} from './control/control.ts'
export type {
  AccessKey,
  ConformanceRunRecord,
  ConnectionRecord,
  CreatedSandbox,
  FrameEntry,
  JournalEntry,
  KeyRecord,
  MarketEventRecord,
  RequestEntry,
  SandboxFields,
  SandboxRecord,
  SocketEntry,
  StoryRecord,
} from './control/records.ts'

export { type Client, client } from './service/client.ts'
export type { ChannelName, ChannelTypes } from './service/contract/channels.ts'
export { coin } from './service/contract/coin.ts'
export { content } from './service/contract/content.ts'
export { distributor } from './service/contract/distributor.ts'
export { futures } from './service/contract/futures.ts'
export { index } from './service/contract/index.ts'
export { indicator } from './service/contract/indicator.ts'
export { mix } from './service/contract/mix.ts'
export { perpdex } from './service/contract/perpdex.ts'
export type {
  EstimatedLiquidation,
  FoundTrader,
  FullDepth,
  LevelConfig,
  PnlCurve,
  Trade,
  UserFill,
} from './service/contract/records.ts'
export { signal } from './service/contract/signal.ts'
export { stock } from './service/contract/stock.ts'
export { ClientError } from './service/errors.ts'
export { type ClientOf, clientOf } from './service/lean-client.ts'
export type { ClientSettings } from './service/settings.ts'

export type { PushInfo } from './service/streams/push.ts'
export type { StreamEvent } from './service/streams/stream-event.ts'
