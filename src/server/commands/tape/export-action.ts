import { VERSION } from '../../../platform/version.ts'
import { exportHar } from '../../../tape/har/har-export.ts'
import type { Run } from '../command.ts'
import type { TAPE_EXPORT } from './import-declaration.ts'
import { tapeOf } from './text-output.ts'

/** `tape export`: a recording becomes a HAR document. */
export const exportRecording: Run<typeof TAPE_EXPORT> = async ({ flags: { out }, rest }) => {
  const { entries, messages } = await exportHar(tapeOf(rest), out, VERSION)
  console.log(`${out}: ${entries} entries, ${messages} messages on sockets`)
  return 0
}
