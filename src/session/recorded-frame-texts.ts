/** The frames of a recorded stream as they are shown. */
import type { Channel } from '../contract/channel.ts'
import type { KeptFrame, PassedOn } from '../contract/timeline.ts'
import type { RecordedFrame } from '../replay/as-recorded/recorded-frames.ts'
import type { Recording } from '../replay/as-recorded/recording.ts'
import { jsonOf } from '../replay/json-text.ts'
import { type KeptBytes, KeptFrames } from './kept-frames.ts'

/** Frames of a recording lie on disk; of those that are played again, so much is kept. */
const KEPT_BYTES = 32 << 20
const byRecording = new WeakMap<Recording, KeptBytes>()

export class RecordedFrameTexts {
  private readonly keptFrames = new KeptFrames()
  private readonly bytes: KeptBytes

  constructor(
    private readonly recording: Recording,
    private readonly channel: Channel,
  ) {
    this.bytes = byRecording.get(recording) ?? { left: KEPT_BYTES }
    byRecording.set(recording, this.bytes)
  }

  /** @param holder where a template of the frame is kept, once it comes again */
  shown(frame: RecordedFrame, holder: PassedOn, shiftMs: number): string {
    const { recording, channel } = this
    const movedMs = recording.movedMs(shiftMs)
    if (movedMs === 0) return recording.frameText(frame)
    const { frame: kept } = holder
    if (kept && kept !== 'written') {
      const shown = this.keptFrames.at(kept, { shiftMs: movedMs, lap: 0 })
      if (shown !== null) return shown
    }
    if (kept === undefined) holder.frame = 'written'
    else if (kept === 'written') holder.frame = this.kept(frame)
    return recording.shownFrame(frame, channel, shiftMs)
  }

  private kept(frame: RecordedFrame): KeptFrame | null {
    if (this.bytes.left <= 0) return null
    const parts = partsOf(this.recording.frameText(frame))
    if (parts === null) return null
    const made = this.keptFrames.keep(parts.data, this.channel.data, parts.before, parts.after)
    if (made) this.bytes.left -= made.bytes
    return made?.kept ?? null
  }
}

/** What is around the data of a frame; null where there is none. */
function partsOf(text: string): { before: string; data: unknown; after: string } | null {
  const frame = jsonOf(text)
  if (typeof frame !== 'object' || frame === null || !('data' in frame)) return null
  const entries = Object.entries(frame)
  const place = entries.findIndex(([name]) => name === 'data')
  const written = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const before = `{${[...written.slice(0, place), '"data":'].join(',')}`
  const after = `${['', ...written.slice(place + 1)].join(',')}}`
  return { before, data: frame.data, after }
}
