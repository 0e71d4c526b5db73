/** `tapewright/conformance`: the conformance suite. */
export { conform } from '../conformance/conform.ts'
export type { ConformSettings } from '../conformance/conform-settings.ts'
export type {
  Said,
  SaidAnswer,
  SaidFrame,
  SaidRequest,
  SaidSocket,
} from '../conformance/conversation.ts'
export { httpTransport } from '../conformance/http-transport.ts'
export type { Report, RequirementResult } from '../conformance/report.ts'
export { htmlReport } from '../conformance/reports/html.ts'
export { jsonReport } from '../conformance/reports/json.ts'
export { junitReport } from '../conformance/reports/junit.ts'
export {
  githubAnnotations,
  githubSummary,
  markdownReport,
} from '../conformance/reports/markdown.ts'
export type { Result, Verdict } from '../conformance/runner.ts'
export type { KeyRole, Target, TargetKey } from '../conformance/target.ts'
export type {
  TargetTransport,
  TransportRequest,
  TransportResponse,
  TransportSocket,
} from '../conformance/target-transport.ts'
export { UserError } from '../platform/user-error.ts'
