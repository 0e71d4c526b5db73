import type { FrameText } from './steps.ts'

/** A frame as sent. */
export function frameOf(frame: FrameText): string | Uint8Array {
  if ('text' in frame) return frame.text
  if ('base64' in frame) return Buffer.from(frame.base64, 'base64')
  if ('deep' in frame) return '['.repeat(frame.deep)
  if ('huge' in frame) return `{"method":"subscribe","subscription":"${'x'.repeat(frame.huge)}"}`
  const addresses = Array.from(
    { length: frame.addresses },
    (_, at) => `0x${at.toString(16).padStart(40, '0')}`,
  )
  return JSON.stringify({ type: frame.method, addresses })
}
