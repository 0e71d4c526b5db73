/** Whether the msw and the runtime that were found are ones that the handlers work with. */
import * as msw from 'msw'
import { UserError } from '../../../platform/user-error.ts'

/** What `package.json` asks for as a peer. */
export const SUPPORTED_MSW = '^2.15.0 || ^3.0.0'

/** Throws a UserError that says what to install instead. */
export function checkMsw(found: Readonly<Record<string, unknown>> = msw): void {
  const { http, ws, WebSocketHandler } = found as Partial<typeof msw>
  const isKnown = typeof http?.all === 'function' && typeof ws?.link === 'function'
  if (!isKnown || typeof WebSocketHandler?.prototype.run !== 'function')
    throw new UserError(
      `tapewright/msw needs msw ${SUPPORTED_MSW}, and another version was found: npm i -D msw@3`,
    )
  // Major 3 has moved this to an entry of its own.
  const isThird = !('graphql' in found)
  if (isThird && !('withResolvers' in Promise))
    throw new UserError('msw 3 needs Node 22.12 or later: npm i -D msw@2.15 works with Node 20')
}
