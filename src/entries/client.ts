/** `tapewright/client`: a typed client of the contract, for tests, scripts and pages. */
export { type Client, type ClientSettings, client } from '../client/client.ts'
export type { DataOf, InputOf, PushOf, SubscriptionOf } from '../client/contract-types.ts'
export { AnswerError, ClientError, ConnectionError, ServiceError } from '../client/errors.ts'
export type { Listener, Subscription } from '../client/socket/subscription.ts'
