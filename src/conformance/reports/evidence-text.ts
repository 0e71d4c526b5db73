/** Exchanges as people read and repeat them. No secret and no signature is in them. */
import type { ProbeExchange } from '../probe-request.ts'

/** A command line that asks the same, once it is signed. */
export function repeated(target: string, { method, path }: ProbeExchange): string {
  const isSocket = path.includes('/ws')
  const place = `${target}/api/upgrade/v2${path}?$SIGNATURE`
  return isSocket ? `websocat "${place.replace(/^http/, 'ws')}"` : `curl -X ${method} "${place}"`
}

export const shownText = (text: string, max = 2_000): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text

/** Evidence as text; exchanges have theirs elsewhere. */
export function evidenceText(evidence: unknown): string {
  const text = typeof evidence === 'string' ? evidence : JSON.stringify(evidence, null, 2)
  return shownText(text ?? '')
}
