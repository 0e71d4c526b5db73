/** Longer frames are refused unread; 2000 addresses need about 100 kB. */
export const FRAME_MAX = 512 * 1024

/** undefined for what is not JSON; nesting too deep for the parser is not JSON either. */
export function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
