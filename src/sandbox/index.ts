/** The interface of this module. */

export { DELIVERIES } from './delivery.ts'
export {
  CONDITION_COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  CONDITION_LETTERS_MAX,
  type EventCondition,
  type EventFields,
  parseEventCondition,
} from './event-condition.ts'
export { checkGrowth } from './growth-bounds.ts'
export { ENTRY_KINDS, type JournalEntry } from './journal/entry.ts'
export { Journal, type JournalSettings, redactedEntry } from './journal/journal.ts'
export { journalMove } from './lag-report.ts'
export type { Casting, LineStatus, WorldProvider } from './loaded-world.ts'
export { type AskedEvent, eventStateAt } from './market-events/asked-event.ts'
export { outcomeOf } from './market-events/event-outcome.ts'
export { putScenario, tellFromStart } from './market-events/scenario-market.ts'
export { tellMarket } from './market-events/telling.ts'
export { Histogram } from './metrics/histogram.ts'
export { RequestCounts } from './metrics/request-counts.ts'
export { ServerMetrics } from './metrics/server-metrics.ts'
export type { NumberedEntries } from './numbered-map.ts'
export { explainRequest } from './pipeline/explanation.ts'
export {
  bareRequest,
  type HttpResponse,
  jsonResponse,
  parseQuery,
  type ResponseDelivery,
} from './pipeline/http-message.ts'
export {
  handleRequest,
  handleUnreadable,
  handleUnroutable,
  requestWork,
} from './pipeline/pipeline.ts'
export { refusalResponse } from './pipeline/refusal-response.ts'
export { routeOf } from './pipeline/router.ts'
export { marksOf } from './playhead-marks.ts'
export { Registry } from './registry.ts'
export { Sandbox } from './sandbox.ts'
export { BOOKMARKS_MAX, boundFlaw, INVITES_MAX } from './sandbox-bounds.ts'
export { DEFAULT_SANDBOX_ID } from './sandbox-id.ts'
export type { SandboxOptions } from './sandbox-options.ts'
export { magicCatalogue } from './scenario/magic-values.ts'
export type { Scenario } from './scenario/scenario.ts'
export {
  readScenarioFile,
  scenarioLibrary,
  scenarioLibraryTexts,
  scenarioNames,
} from './scenario/scenario-library.ts'
export { listedScenarios, type ScenarioLibrary } from './scenario/scenario-list.ts'
export { parseScenario, parseScenarioYaml, scenarioOf } from './scenario/scenario-parser.ts'
export { connectionFigures } from './session/connection-figures.ts'
export { FrameInbox } from './session/frame-inbox.ts'
export { RECORDED_ROUTES } from './session/recorded-routes.ts'
export { Session } from './session/session.ts'
export type { SocketConnection, SocketGroup } from './session/socket-connection.ts'
export {
  callRefusal,
  openSession,
  type RefusedUpgrade,
  socketOf,
  type UpgradeOutcome,
} from './session/socket-upgrade.ts'
export { hubOf, knownHubOf, SubscriptionHub } from './session/subscription-hub.ts'
export { parseSandboxState, SandboxState } from './snapshot/sandbox-state.ts'
export { sandboxStateOf } from './snapshot/state-parts.ts'
export { someNames } from './some-names.ts'
export { StateFile } from './state-file/state-file.ts'
export type { StopReason } from './stop-listeners.ts'
export { StorageError } from './storage-status.ts'
export { STORY_VIEWS } from './story/story.ts'
export { storyLibrary } from './story/story-library.ts'
export type { Story } from './story/story-parser.ts'
export { type EndBehaviour, placeIn } from './tape-span.ts'
export type { ApiKey } from './tenancy/api-key.ts'
export type { Invite, InvitePresets } from './tenancy/distributor.ts'
export { changeKey, createKey, invitePresetsOf } from './tenancy/key-management.ts'
export { PLANS } from './tenancy/plans.ts'
export { eventFieldsOf, upcomingEvents } from './upcoming-events.ts'
export { worldProvider } from './world-provider.ts'

export { GrowthSlots } from './worlds/growth-slots.ts'
export type { LineHost } from './worlds/line-grower.ts'
export { MarketLine } from './worlds/market-line.ts'
export { MemoryLines } from './worlds/memory-lines.ts'
export { warmGrown, warmUp } from './worlds/warming.ts'
