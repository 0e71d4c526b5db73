/** The interface of this module. */

export { type HistoryName, historyNameText, readHistoryName } from './candles/history-name.ts'
export { cutTape } from './cut.ts'
export { fileDigest } from './file-digest.ts'
export { exportHar } from './har/har-export.ts'
export type { ImportReport, ImportRequest } from './import-request.ts'
export { readContractSize } from './importers/contract-size.ts'
export { UnknownForm } from './importers/form-choice.ts'
export { IMPORT_FORMS } from './importers/forms.ts'
export type { ContractSize } from './importers/importer.ts'
export { readMapping } from './importers/mapping/mapping.ts'
export { suggestedMapping } from './importers/mapping/mapping-suggestion.ts'
export { openFileSink } from './recorder/file/file-sink.ts'
export { startRecorder } from './recorder/recorder.ts'
export { Redaction } from './recorder/redaction/redaction.ts'
export { signingKey, targetSigner } from './recorder/signed-target.ts'
export { upstreamAddress } from './recorder/upstream-address.ts'
export type { RecordingSummary } from './recording-profile.ts'
export { type RecordedFrame, RecordedFrames } from './replay/as-recorded/recorded-frames.ts'
export type { FramesOfStream } from './replay/as-recorded/recorded-streams.ts'
export { Recording } from './replay/as-recorded/recording.ts'
export { replayedTimeline } from './replay/as-recorded/replayed-timeline.ts'
export { jsonOf } from './replay/json-text.ts'
export type { Finding } from './replay/market/findings.ts'
export { type NormaliseReport, normalise } from './replay/market/normalisation.ts'
export type { RecordedRoutes } from './replay/recorded-routes.ts'
export {
  type Upstream,
  type UpstreamAnswer,
  type UpstreamRequest,
  upstreamAt,
} from './replay/upstream.ts'
export type { UpstreamSubscription } from './replay/upstream-socket.ts'
export { listedProfiles, PAIRS_MOST, PERPETUALS_MOST, USUAL_LISTING } from './synth/listing.ts'
export { plotOf } from './synth/plot-market.ts'
export { type SynthOptions, synthesise, synthInstruments } from './synth/synthesis.ts'
export { differenceOf, isNone, type Pair, type TapeDifference } from './tape-difference.ts'
export { EVENT_KINDS, type EventKind, type TapeEvent, type TapeHeader } from './tape-event.ts'
export { importTape } from './tape-import.ts'
export {
  type CoinSummary,
  FINDINGS_MAX,
  inspectTape,
  type TapeInspection,
} from './tape-inspection.ts'
export { mergeTapes } from './tape-merge.ts'
export { DEFAULT_TAPE, findRecording, findTape, recordingNames } from './tape-name.ts'
export { type CoinProfile, TapeProfile, type TapeProfileSummary } from './tape-profile.ts'
export { openTape, type Tape } from './tape-reader.ts'
export { createTape } from './tape-writer.ts'
