/** `tapewright explain`: the answer that a request would get, and why. */
import { type Control, control } from '../../clients/control/control.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { reasonLines } from '../../contract/reason-text.ts'
import { controlToken } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import { signingKey, targetSigner } from '../../tape/recorder/upstream-address.ts'
import type { Run } from './command.ts'
import type { EXPLAIN } from './explain/declaration.ts'
import { serverAddress } from './running-server.ts'
import { styled } from './terminal.ts'

/** A UserError when the server is not there, or the URL is none. */
export const explain: Run<typeof EXPLAIN> = async ({ flags, rest: [named = ''] }) => {
  const { method, body, contentType, port, signWith, json } = flags
  const url = URL.parse(named.replace(/^ws/, 'http'), serverAddress({ url: undefined, port }))
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      `"${named.slice(0, 200)}" is no URL: write it as http://127.0.0.1:4010/…, or as a path`,
    )
  const { explain } = control(url.origin, { token: controlToken() ?? undefined })
  const sent = body === undefined ? {} : { body, contentType }
  const sign = signWith === undefined ? null : targetSigner(signingKey(signWith), hostClock)
  const target = `${url.pathname}${url.search}`
  const signed = url.origin + (sign?.(target) ?? target)
  const explained = await explain({ url: signed, method, ...sent }).catch((error: Error) => {
    throw new UserError(error.message)
  })
  console.log(json ? JSON.stringify(explained) : explanationText(explained))
  return 0
}

type Explained = Awaited<ReturnType<Control['explain']>>

/** Length of the shown beginning of an answer. */
const SHOWN_LENGTH = 500

function explanationText({ answer, reason, checks, signature }: Explained): string {
  const shown = answer?.body.slice(0, SHOWN_LENGTH)
  const more = answer && answer.bodyLength > SHOWN_LENGTH ? ` … (${answer.bodyLength})` : ''
  const headers = Object.entries(answer?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const style = answer === null || answer.status >= 400 ? 'red' : 'green'
  const status = styled(String(answer?.status ?? 'upstream answers'), style, process.stdout)
  return [
    `${status} ${shown ?? ''}${more}`.trimEnd(),
    ...headers,
    ...(answer?.delivery ? [`delivery: ${answer.delivery}`] : []),
    '',
    ...(reason === null ? ['nothing speaks against it'] : reasonLines(reason)),
    '',
    ...checks.map(({ check, passed, detail }) => `${passed ? '✓' : '✗'} ${check}: ${detail}`),
    ...(signature?.mistake
      ? ['', `to be signed: ${signature.stringToSign}`, ...signature.steps]
      : []),
  ].join('\n')
}
