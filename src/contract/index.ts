/** The interface of this module. */

export type { Access } from './access.ts'
export { ACTIONS, ACTIVE_ACTIONS, PERMISSIONS, RESOURCE_TYPE } from './actions.ts'
export type { AlertCondition } from './alert-catalogue.ts'
export { parseSubType } from './alert-sub-type.ts'
export { CHANNELS, OPERATIONS, PREFIXES } from './catalogue.ts'
export type { Channel, Source, TypedChannel } from './channel.ts'
export { STREAMS } from './channels.ts'
export { contractHash } from './contract-hash.ts'
export { dexFlaw } from './dex.ts'
export {
  ACCOUNT_STATES_DIALECT,
  type ClientCommand,
  type Dialect,
  NODE_DIALECT,
  VENUE_DIALECT,
} from './dialect.ts'
export { Components, typeName } from './documents/components.ts'
export { DEMO_INVITE, DEMO_KEYS } from './documents/demo-keys.ts'
export { groupOf, groupTag } from './documents/groups.ts'
export { isInfo } from './documents/info-types.ts'
export { operationPage } from './documents/operation-page.ts'
export { notes } from './documents/parameters.ts'
export { conventions, questions, sockets } from './documents/reference.ts'
export { type Json, openapiSchema } from './documents/schemas.ts'
export { type Envelope, wrap } from './envelope.ts'
export { checkFields } from './fields/field-check.ts'
export {
  FieldFlaw,
  type FieldPath,
  FlawList,
  flawsIn,
  flawsText,
  flawText,
} from './fields/field-flaw.ts'
export {
  CALL_BOUNDS,
  CONTRACT_BOUNDS,
  type JsonBounds,
  jsonBoundFlaw,
} from './fields/json-bounds.ts'
export { nearestName, unknownText } from './fields/nearest-name.ts'
export { fieldSpanMs, SpanField } from './fields/span-field.ts'
export { type FieldPlace, readYaml } from './fields/yaml-text.ts'
export { INFO_TYPES } from './info/index.ts'
export { JsonTemplates } from './json-templates.ts'
export { withLapIds } from './lap-ids.ts'
export { type CastList, type Meaning, meaningOf } from './meaning.ts'
export { namesIn } from './meaning-values.ts'
export {
  bodyOf,
  type Example,
  envelopeOf,
  type Method,
  type Operation,
  type OperationInput,
  type TypedOperation,
} from './operation.ts'
export { signalAlertSettings } from './operations/signal/alert-settings.ts'
export { signalAlerts } from './operations/signal/alerts.ts'
export { CONTRACT } from './operations.ts'
export { hasRepeatable, readBody, readFields, readTextParameters } from './parameter-reader.ts'
export {
  fieldsOf,
  fullName,
  isOfType,
  type Parameter,
  parametersOf,
  typedParametersOf,
} from './parameters.ts'
export { decoded, operationPaths, socketPaths, splitSandboxBase } from './paths.ts'
export { parseQueryLists } from './query-text.ts'
export { AUTHENTICATION_QUESTIONS } from './questions/authentication.ts'
export { COIN_QUESTIONS } from './questions/coin.ts'
export { CONTENT_QUESTIONS } from './questions/content.ts'
export { DISTRIBUTOR_QUESTIONS } from './questions/distributor.ts'
export { ERRORS_QUESTIONS } from './questions/errors.ts'
export { FUTURES_QUESTIONS } from './questions/futures.ts'
export { INDEX_QUESTIONS } from './questions/index.ts'
export { INDICATOR_QUESTIONS } from './questions/indicator.ts'
export { LIMITS_QUESTIONS } from './questions/limits.ts'
export { MIX_QUESTIONS } from './questions/mix.ts'
export { PERPDEX_FILL_QUESTIONS } from './questions/perpdex/fills.ts'
export { PERPDEX_MARKET_QUESTIONS } from './questions/perpdex/market.ts'
export { PERPDEX_ORDER_QUESTIONS } from './questions/perpdex/orders.ts'
export { PERPDEX_TRADER_QUESTIONS } from './questions/perpdex/traders.ts'
export { PERPDEX_WHALE_QUESTIONS } from './questions/perpdex/whales.ts'
export type { Question } from './questions/question.ts'
export { SIGNAL_QUESTIONS } from './questions/signal.ts'
export { SOCKETS_QUESTIONS } from './questions/sockets.ts'
export { STOCK_QUESTIONS } from './questions/stock.ts'
export { VENUE_QUESTIONS } from './questions/venue.ts'
export {
  type Answers,
  type AnswerTo,
  type ByAnswer,
  byAnswer,
  DEFAULT_ANSWERS,
  QUESTIONS,
  type QuestionId,
  readAnswers,
} from './questions.ts'
export { isoText, plainText, rebaseOf } from './rebase.ts'
export { isRefusal, type Refusal, type RefusalName } from './refusal.ts'
export { refusalForm, refusalText } from './refusal-body.ts'
export { REFUSALS } from './refusal-forms.ts'
export {
  askedFields,
  type RequestedRange,
  type RequestField,
  requestedRanges,
} from './requested-ranges.ts'
export { spelledStatus } from './responses/order-status.ts'
export {
  type Defaulted,
  type Identified,
  IdOf,
  isNumberText,
  Nullable,
  OneOf,
  type Static,
  type TimeUnit,
  type TObject,
  type TSchema,
  Type,
} from './schema.ts'
export { mapLeaves } from './schema-leaves.ts'
export { isServed, SERVED_OPERATIONS } from './served-operations.ts'
export { type ShownAs, shownValue, tapeValue } from './shown-value.ts'
export {
  CREDENTIAL_NAMES,
  type Credentials,
  credentials,
  sign,
  stringToSign,
  VALID_MS,
} from './signature.ts'
export { isSigned } from './signature-check.ts'
export { readSpan, spanMs } from './span.ts'
export { streamId } from './stream-id.ts'
export type { AlertSetting, AlertsTenant } from './tenant/alerts.ts'
export type { DistributorTenant, SubKeyFields } from './tenant/distributor.ts'
export type { Tenant } from './tenant.ts'
export {
  isOfAccount,
  type KeptFrame,
  KIND_RANKS,
  type PassedOn,
  type Timeline,
  type TimelineEvent,
} from './timeline.ts'
export { answerVenueInfo, info } from './venue/info.ts'
export { venueRefusal } from './venue/refusals.ts'
export { WEIGHT_PER_MINUTE } from './venue/request-weights.ts'
export { VENUE_CHANNELS, VENUE_OPERATIONS } from './venue.ts'
